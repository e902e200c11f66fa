import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type EventSource, openEventSource } from '../support/service/event-source.ts'
import { type Receiver, runReceiver } from '../support/webhooks/receiver.ts'
import { Difference } from './difference.ts'
import type { Document, KnownThings } from './known-things.ts'
import { type Names, timeless } from './names.ts'
import type { Side } from './sides.ts'

// Who is told of what happens while it happens: a reader of the feed, readers of live lists, and a webhook.

/** Lists that are followed: whatever begins to match or ceases to. */
const lists = ['/rest/v1/tasks', '/rest/v1/deals?price.gte=10', '/customers?age.null=true&q=a'] as const
/** Milliseconds after which what has not come does not come. */
const LONGEST = 60_000

/** The followers of one service. */
export class Followers {
  readonly #side: Side
  readonly #names: Names
  readonly #receiver: Receiver
  #feed: EventSource | undefined
  readonly #told: string[] = []
  readonly #lists: FollowedList[] = []

  private constructor(side: Side, names: Names, receiver: Receiver) {
    this.#side = side
    this.#names = names
    this.#receiver = receiver
  }

  static async begin(side: Side, names: Names): Promise<Followers> {
    const followers = new Followers(side, names, await runReceiver())
    const body = JSON.stringify({ url: followers.#receiver.url })
    await side.ask({ method: 'POST', path: '/webhooks', headers: { 'content-type': 'application/json' }, body })
    await followers.connect()
    return followers
  }

  /** Also after a restart: goes on behind what it has heard. */
  async connect(): Promise<void> {
    const { url } = this.#side.service
    this.#take()
    const last = this.#feed?.lastEventId
    this.#feed = await openEventSource(`${url}/events`, last ? { 'last-event-id': last } : {})
    if (this.#feed.response.statusCode !== 200) throw new Error('the feed cannot be followed')
    if (this.#lists.length === 0) this.#lists.push(...lists.map((path) => new FollowedList(path)))
    for (const list of this.#lists) await list.connect(url)
  }

  #take(): void {
    const messages = this.#feed?.messages.splice(0) ?? []
    this.#told.push(...messages.map(({ data }) => data))
  }

  close(): Promise<void> {
    this.#feed?.close()
    for (const list of this.#lists) list.close()
    return this.#receiver.close()
  }

  /** All that a reader of the feed was told, when it was told all; each event as it was seen. */
  async told(known: KnownThings): Promise<readonly string[]> {
    const { text } = await this.#side.ask({ method: 'GET', path: '/events.ndjson' })
    const last = text.trim().split('\n').at(-1) ?? ''
    await this.#until('the stream of events', () => {
      this.#take()
      return last === '' || this.#told.includes(last)
    })
    const things = text.split('\n').filter((line) => /"subject"/.test(line) && !/"counts"/.test(line)).length
    await this.#until(
      'the webhook',
      () => new Set(this.#receiver.received.map(({ event }) => event.sequence)).size >= things,
    )
    const delivered = this.#receiver.received.map(({ body }) => body)
    const told = this.#told.map((data) => timeless(this.#names.named(data)))
    for (const each of [...told, ...delivered.map((body) => timeless(this.#names.named(body)))])
      mustBeAsSeen(known, each)
    return told
  }

  /** Each live list has what the list has. */
  async sameLists(): Promise<void> {
    for (const list of this.#lists) {
      await this.#until(`the live list ${list.path}`, async () => {
        const shown = await this.#side.ask({
          method: 'GET',
          path: `${list.path}${list.path.includes('?') ? '&' : '?'}maxpagesize=1000`,
        })
        const { items } = JSON.parse(shown.text) as { readonly items: readonly Document[] }
        return list.has(items)
      })
    }
  }

  async #until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    for (const begun = Date.now(); !(await holds()); await pause(5))
      if (Date.now() - begun > LONGEST) throw new Difference(`${what} of ${this.#side.store} is not what happened`)
  }
}

function mustBeAsSeen(known: KnownThings, text: string): void {
  const { subject, data } = JSON.parse(text) as { readonly subject: string; readonly data: Document }
  for (const shown of Object.values(data)) {
    if (typeof shown !== 'object' || shown === null || !('revision' in shown)) continue
    const fault = known.differs(subject, shown as Document)
    if (fault !== undefined) throw new Difference(`a follower was told that ${fault}`)
  }
}

/** A live list, and the things that it has by what it was told. */
class FollowedList {
  readonly path: string
  readonly #things = new Map<string, Document>()
  #source: EventSource | undefined
  #url = ''

  constructor(path: string) {
    this.path = path
  }

  async connect(url: string): Promise<void> {
    this.#url = url
    this.close()
    this.#things.clear()
    this.#source = await openEventSource(`${url}${this.path}${this.path.includes('?') ? '&' : '?'}snapshot=true`)
  }

  close(): void {
    this.#source?.close()
  }

  async has(items: readonly Document[]): Promise<boolean> {
    const messages = this.#source?.messages.splice(0) ?? []
    for (const { type, data } of messages) {
      const thing = type === 'ready' || type === 'reset' ? {} : (JSON.parse(data) as Document)
      // Everything is read again.
      if (type === 'reset') {
        await this.connect(this.#url)
        return false
      }
      if (type === 'leave') this.#things.delete(String(thing.id))
      else if (type !== 'ready') this.#things.set(String(thing.id), thing)
    }
    const here = items.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
    const there = [...this.#things.values()].toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
    return isDeepStrictEqual(here, there)
  }
}
