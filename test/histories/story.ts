import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { readSettings } from '../../src/config.ts'
import type { Schema } from '../../src/model/declaration/schema.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { openMaintenance } from '../../src/store/open.ts'
import { Difference } from './difference.ts'
import { examine } from './examine.ts'
import { Followers } from './followers.ts'
import { importFile } from './import-file.ts'
import { type Document, KnownThings } from './known-things.ts'
import { lookAtAll } from './look.ts'
import { comparable, Names, withRowsTogether } from './names.ts'
import { type Answer, type Asked, openSides, type Side } from './sides.ts'
import { type Asking, isDry, isRepeatable, type Step } from './step.ts'

/** Two services that are told the same, and what is known of their things. */
export class Story {
  readonly sides: readonly [Side, Side]
  readonly names: readonly [Names, Names] = [new Names(), new Names()]
  readonly known = new KnownThings()
  readonly #feed: DatabaseSync
  #followers: readonly Followers[] = []
  #last = 0
  /** What was answered to requests that may be sent again. */
  readonly #answered = new Map<string, Told>()

  private constructor(sides: readonly Side[]) {
    this.sides = sides as unknown as readonly [Side, Side]
    this.#feed = new DatabaseSync(this.sides[0].database.url, { readOnly: true, timeout: 60_000 })
  }

  /** Some are followed: that takes as much as the rest. In others fields for persons name users. */
  static async open({
    isFollowed,
    hasPeople,
  }: {
    readonly isFollowed: boolean
    readonly hasPeople: boolean
  }): Promise<Story> {
    const story = new Story(await openSides(hasPeople))
    if (isFollowed)
      story.#followers = await Promise.all(
        story.sides.map((side, at) => Followers.begin(side, story.names[at] as Names)),
      )
    return story
  }

  /** As the first service has it; both have the same. */
  get schema(): Schema {
    return this.sides[0].service.store.schemas.current
  }

  async close(): Promise<void> {
    this.#feed.close()
    for (const each of this.#followers) await each.close()
    for (const side of this.sides) await side.close()
  }

  /** Does a step on both sides; throws the first difference. Answers with what both said to a request. */
  async perform(step: Step): Promise<Told | undefined> {
    for (const names of this.names) names.begin(step.at)
    const told = await this.#does(step)
    if (isRepeatable(step) && told !== undefined) this.#mustRepeat(step, told)
    if (step.does === 'look' || step.does === 'examine') return told
    const changed = await this.#changedAndSettled()
    if (isDry(step) && changed.length > 0) throw new Difference(`a dry run wrote ${JSON.stringify(changed)}`)
    const before = new Map(
      changed.map(({ subject }) => [subject, this.known.get(this.names[0].named(subject))?.latest]),
    )
    for (const each of changed) await this.#see(each, changed.length === 1 ? told : undefined)
    if (step.does === 'import' && step.on === 'customer') await this.#seeCustomers(before)
    if (step.does === 'import' && 'exportedAt' in step.file && step.until === 'imported') this.#mustBeAsBefore(before)
    return told
  }

  /** The same again is answered as it was, or does what it can now if it has left nothing to repeat. */
  #mustRepeat(step: Asking, told: Told): void {
    const key = JSON.stringify([step.method, step.path, step.headers, step.body])
    const first = this.#answered.get(key)
    if (first === undefined && told.status < 300) this.#answered.set(key, told)
    if (first === undefined) return
    const about = `${step.method} ${step.path}, repeated`
    // Of several commands some have no id, and make what others name.
    const isOne = step.headers?.['idempotency-key'] !== undefined || /\/commands\/c-/.test(step.path)
    if (isOne && /"code":"(?:idempotency-key|command-id)-reused"/.test(told.text))
      throw new Difference(`${about}, is taken for another`, first.text, told.text)
    if (told.headers['idempotent-replayed'] === undefined) return
    const [before, now] = [first, told].map(({ text }) => /"revision":\d+/.exec(text)?.[0])
    if (before !== now || told.status >= 300)
      throw new Difference(`${about}, is answered otherwise`, first.text, told.text)
  }

  /** An import of customers has one event for all. */
  async #seeCustomers(before: Map<string, object | undefined>): Promise<void> {
    const { text } = await this.ask({ method: 'GET', path: '/customers?maxpagesize=1000' })
    const { items } = JSON.parse(text) as { readonly items: readonly (Document & { readonly id: string })[] }
    const resource = resourceNamed(this.schema, 'customer')
    for (const shown of items) {
      const { latest } = this.known.get(shown.id) ?? {}
      if (latest?.revision === shown.revision) continue
      before.set(this.names[0].filled(shown.id), latest)
      this.known.see(resource, shown.id, shown)
    }
    const gone = this.known.of('customer').filter(({ name }) => !items.some(({ id }) => id === name))
    for (const { name } of gone) this.known.see(resource, name, undefined)
  }

  /** An export that is imported again changes nothing. */
  #mustBeAsBefore(before: ReadonlyMap<string, object | undefined>): void {
    for (const [subject, shown] of before) {
      const name = this.names[0].named(subject)
      const { latest } = this.known.get(name) ?? {}
      const about = `the export of ${name}, imported, changes it`
      if (latest !== undefined) throw new Difference(about, JSON.stringify(shown), JSON.stringify(latest))
    }
  }

  async #does(step: Step): Promise<Told | undefined> {
    switch (step.does) {
      case 'ask':
        return this.ask(step)
      case 'import':
        return importFile(this, step)
      case 'restart':
        await Promise.all(this.sides.map((side) => side.restart()))
        await Promise.all(this.#followers.map((each) => each.connect()))
        return undefined
      case 'purge':
        return this.#purge()
      case 'look':
        return this.#look()
      case 'examine':
        await this.#look()
        await examine(this)
        return undefined
    }
  }

  async #look(): Promise<undefined> {
    await lookAtAll(this)
    const told = await Promise.all(this.#followers.map((each) => each.told(this.known)))
    const [one, other] = told.map((events) => withRowsTogether(`${withoutUnset(events.join('\n'))}\n`))
    if (one !== other) throw new Difference('followers were told differently', one, other)
    for (const each of this.#followers) await each.sameLists()
  }

  /** Asks both for the same, and compares what they say. */
  async ask(asked: Asked): Promise<Told> {
    const [one, other] = await this.eachAsk(asked)
    return this.compared(asked, one as Answer, other as Answer)
  }

  /** What each of them says, as it says it. */
  eachAsk(asked: Asked): Promise<readonly Answer[]> {
    return Promise.all(this.sides.map((side, at) => side.ask(this.filled(asked, at))))
  }

  compared(asked: Asked, one: Answer, other: Answer): Told {
    const [said, saidThere] = [comparable(one, this.names[0]), comparable(other, this.names[1])]
    const about = `${asked.method} ${asked.path}`
    if (one.status >= 500 || other.status >= 500) throw new Difference(`${about} failed`, said, saidThere)
    if (said !== saidThere) throw new Difference(`${about} is answered differently`, said, saidThere)
    return { status: one.status, text: said.slice(said.indexOf('\n\n') + 2), headers: one.headers }
  }

  /** A request with the ids of one side. */
  filled({ method, path, headers = {}, body }: Asked, at: number): Asked {
    const names = this.names[at] as Names
    const told = Object.entries(headers).map(([name, value]) => [name, names.filled(value)])
    const content = typeof body === 'string' ? names.filled(body) : body
    return {
      ...{ method, path: names.filled(path), headers: Object.fromEntries(told) },
      ...(content !== undefined && { body: content }),
    }
  }

  /** What was changed, also by what follows from a change of the model. */
  async #changedAndSettled(): Promise<readonly Changed[]> {
    const changed = await this.#changed()
    if (!changed.some(({ resource }) => resource === 'field' || resource === 'pipeline')) return changed
    await this.#settled()
    return [...changed, ...(await this.#changed())]
  }

  /** What the first side has recorded since it was asked last. */
  async #changed(): Promise<readonly Changed[]> {
    const rows = this.#feed.prepare(CHANGED).all(this.#last)
    this.#last = Number(rows.at(-1)?.sequence ?? this.#last)
    const changed = rows.map(({ resource, subject, revision }) => ({
      resource: String(resource),
      subject: String(subject),
      revision: Number(revision),
    }))
    if (changed.some(({ subject }) => !this.names[0].knows(subject))) await this.#nameUnseen(changed)
    return [...new Map(changed.map((each) => [`${each.resource} ${each.subject}`, each])).values()]
  }

  /** Not every answer shows what was made. Both have recorded it in the same order. */
  async #nameUnseen(changed: readonly Changed[]): Promise<void> {
    const latest = await this.sides[1].database.rows(LATEST, changed.length)
    const there = latest
      .toReversed()
      .map(({ resource, subject }) => `${resource} ${this.names[1].named(String(subject))}`)
    const here = changed.map(({ resource, subject }) => `${resource} ${this.names[0].named(subject)}`)
    // Rows of a file take effect together.
    if (here.toSorted().join() !== there.toSorted().join())
      throw new Difference('other things were changed', here.join('\n'), there.join('\n'))
  }

  /** Reads what a thing has become, unless an answer shows it. */
  async #see({ resource: name, subject, revision }: Changed, answer: Told | undefined): Promise<void> {
    const resource = this.schema.byName.get(name)
    if (resource === undefined) return
    const named = this.names[0].named(subject)
    const shown = answer?.text.startsWith(`{"id":"${named}",`) ? JSON.parse(answer.text) : undefined
    // The service may have gone on: a choice that nothing has goes at once.
    if (shown?.revision === revision && shown.links !== undefined) return this.known.see(resource, named, shown)
    const told = await this.ask({ method: 'GET', path: `${resource.path}/${named}` })
    this.known.see(resource, named, told.status === 200 ? JSON.parse(told.text) : undefined)
  }

  /** Waits until what follows from a change of the model is done on both sides. */
  async #settled(): Promise<void> {
    for (const side of this.sides) {
      for (;;) {
        const fields = await side.ask({ method: 'GET', path: '/fields?maxpagesize=1000' })
        const pipelines = await side.ask({ method: 'GET', path: '/pipelines?maxpagesize=1000' })
        if (!/"state":"building"|"closing":true/.test(fields.text + pipelines.text)) break
        await pause(10)
      }
    }
  }

  /** Removes at once what was deleted, as time does. */
  async #purge(): Promise<undefined> {
    const before = new Date(Date.now() + 1000).toISOString()
    const purged = await Promise.all(
      this.sides.map(async ({ database }, at) => {
        const maintenance = await openMaintenance(readSettings({ DATABASE_URL: database.url }), { mustExist: true })
        const found: string[] = []
        for await (const { resource, ids } of maintenance.purge(before, { dryRun: false }))
          found.push(...ids.map((id) => `${resource} ${this.names[at]?.named(id)}`))
        return found.toSorted()
      }),
    )
    this.#answered.clear()
    const [one, other] = purged.map((found) => found.join('\n'))
    if (one !== other) throw new Difference('another purge', one, other)
    for (const thing of this.known.all) await this.#lookAgain(thing.resource, thing.name)
    return undefined
  }

  async #lookAgain(resource: string, name: string): Promise<void> {
    const { path = '' } = this.schema.byName.get(resource) ?? {}
    const { status } = await this.ask({ method: 'GET', path: `${path}/${name}` })
    if (status === 404) this.known.lose(name)
  }
}

/** An event has the fields of the model in which it is told, and one that comes late those of a later one. */
const withoutUnset = (events: string): string =>
  events.replaceAll(/,?"own":\{([^{}]*)\}/g, (_all, own: string) => {
    const set = own.replaceAll(/(?<=^|,)"[^"]+":null(?:,|$)/g, '').replace(/,$/, '')
    return set === '' ? '' : `,"own":{${set}}`
  })

/** What both answered. */
export interface Told extends Answer {}

interface Changed {
  readonly resource: string
  readonly subject: string
  readonly revision: number
}

const LATEST = 'SELECT resource, subject FROM events ORDER BY sequence DESC LIMIT ?'
const CHANGED = 'SELECT sequence, resource, subject, revision FROM events WHERE sequence > ? ORDER BY sequence'
