import type { DomainEvent } from '../../../src/model/declaration/event.ts'
import { valueIn } from '../../../src/model/declaration/operation.ts'
import type { UsedBy } from '../../../src/model/declaration/refusal.ts'
import type { Key, Thing } from '../../../src/model/declaration/resource.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import type { Command, Intent } from '../../../src/model/intent/intent.ts'
import { wouldRemove } from '../../../src/model/intent/look-ahead.ts'
import { idAmong, targetSought } from '../../../src/model/intent/unique-values.ts'
import { partFrom } from '../../../src/model/perform/part.ts'
import { decideIntent, unprepared } from '../../../src/model/perform/perform.ts'
import { isRemoval, type Referrer, referrersOf, resourceNamed } from '../../../src/model/schema/resources.ts'
import { queryFaults } from '../../../src/queries/parse/saved-query.ts'
import type { Desk, SERVICE, StoredEvent } from '../../../src/store/port/desk.ts'
import { orderedIds } from '../../../src/store/port/ordered-ids.ts'
import type { Outcome, Store } from '../../../src/store/port/store.ts'
import { eventRow } from '../../../src/store/rows/event.ts'
import { MOST_NAMED, nameOf } from '../../../src/store/rows/holders.ts'
import { isNumbered, removedJson, storedAfter, storedThing } from '../../../src/store/rows/things.ts'
import { resources, schema } from '../schema.ts'

/** The part of a store that stories are told to. */
export interface ToldStore extends Pick<Store, 'perform'> {
  as(caller: typeof SERVICE): Pick<Desk, 'find' | 'event' | 'command'>
}

const newUuid = orderedIds()

interface Kept {
  readonly thing: Thing
  readonly previousAt: string | null
}

/** A store without a database: plain objects, and the pure decision applied to them. */
export function simpleStore(): ToldStore {
  const things = new Map(resources.map(({ name }) => [name, new Map<Key, Kept>()]))
  const events = new Map<string, StoredEvent>()
  const commands = new Map<string, Command & { readonly json: string }>()
  let last = 0
  const thingsOf = (name: string): Map<Key, Kept> => things.get(name) ?? new Map()
  const eventAt = (subject: Key, revision: number): string => `${subject} ${revision}`
  const newId = (resource: Resource): Key => (isNumbered(resource) ? ++last : newUuid())

  const referring = ({ from, field }: Referrer, id: Key): readonly Thing[] =>
    [...thingsOf(from.name).values()]
      .map(({ thing }) => thing)
      .filter((thing) => valueIn(thing, field) === id)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))

  return {
    async perform({ intents: [intent] }) {
      if (intent === undefined || intent === 'refused') throw new Error('one intent is told at a time')
      return { isKept: !intent.dryRun, outcomes: [decide(intent)] }
    },
    as: () => ({
      async find(resource, id) {
        const kept = thingsOf(resource.name).get(id)
        if (kept === undefined) return undefined
        const { thing, previousAt } = kept
        // Whoever asks for a narrower type knows the resource.
        return { ...storedThing(resource, thing, resource.toJson(thing as never)), previousAt } as never
      },
      event: async (_resource, subject, revision) => events.get(eventAt(subject, revision)),
      async command(id) {
        const { json, ...command } = commands.get(id) ?? { json: undefined }
        return json === undefined ? undefined : (command as Command)
      },
    }),
  }

  function decide(intent: Intent): Outcome {
    const resource: Resource = resourceNamed(schema, intent.resource)
    const own = thingsOf(intent.resource)
    const sought = targetSought(intent, resource)
    const before = sought === undefined ? undefined : own.get(sought)?.thing
    const verdict = decideIntent(intent, {
      resource,
      thing: before,
      command: intent.command && commands.get(intent.command.id),
      exists: (other, id) => thingsOf(other).has(id),
      related: (other, id) => thingsOf(other).get(id)?.thing,
      idBy: idAmong(own.values().map(({ thing }) => thing)),
      queryFaults: queryFaults(schema),
      people: () => [],
      heldBy: before !== undefined && wouldRemove(intent, resource) ? holdersNow(resource, before.id) : [],
      now: new Date().toISOString(),
      newId: () => newId(resource),
      defaults: { currency: 'EUR' },
    })
    if (verdict.kind === 'replay') return replay(verdict.command)
    if (verdict.kind === 'prepare') throw unprepared(intent)
    const { command } = verdict
    if (verdict.kind === 'refuse') {
      if (command !== undefined && !intent.dryRun) commands.set(command.id, { ...command, json: '' })
      return { kind: 'refused', refusal: verdict.refusal, replayed: false }
    }
    const { thing, removed } = verdict
    const json = resource.toJson(thing as never)
    if (!intent.dryRun) {
      if (command !== undefined) commands.set(command.id, { ...command, json })
      for (const event of verdict.events) keep(event, removed && event.thing === thing)
    }
    const event = verdict.events.at(-1)
    const stored = event && eventRow(event, removed ? removedJson(thing) : json).stored
    return {
      kind: 'applied',
      thing: storedThing(resource, thing, json),
      removed,
      made: verdict.made,
      event: stored,
      command,
      replayed: false,
    }
  }

  function holdersNow(resource: Resource, id: Key): readonly UsedBy[] {
    const holders = referrersOf(resource).filter(({ without }) => without === undefined)
    const held = holders.flatMap((each) =>
      referring(each, id).map((other) => ({
        on: each.from.name,
        id: other.id,
        name: nameOf(other) ?? String(other.id),
      })),
    )
    return held.slice(0, MOST_NAMED)
  }

  /** The thing after an event, and what that means for those who refer to it. */
  function keep(event: DomainEvent, removed: boolean): void {
    const { operation, thing } = event
    const own = thingsOf(operation.on.name)
    const previousAt = own.get(thing.id)?.thing.updatedAt ?? null
    const doc = removed ? removedJson(thing) : operation.on.toJson(thing as never)
    events.set(eventAt(thing.id, thing.revision), eventRow(event, doc).stored)
    if (!removed) return void own.set(thing.id, { thing, previousAt })
    own.delete(thing.id)
    for (const referrer of referrersOf(operation.on).filter(({ without }) => without !== undefined)) {
      for (const other of referring(referrer, thing.id)) {
        const parted = partFrom(referrer, other, event)
        keep(parted.event, parted.removed)
      }
    }
  }

  function replay(command: Command): Outcome {
    if (command.refusal !== null) return { kind: 'refused', refusal: command.refusal, replayed: true }
    const resource = resourceNamed(schema, command.resource)
    const event = events.get(eventAt(command.subject, command.revision))
    const { json, ...known } = commands.get(command.id) ?? { json: '{}', ...command }
    const thing =
      event === undefined
        ? storedThing(resource, JSON.parse(json), json)
        : storedAfter(resource, command.subject, event)
    const removed = event !== undefined && isRemoval(resource, event.operation)
    const made = command.named?.made ?? false
    return { kind: 'applied', thing, removed, made, event, command: known, replayed: true }
  }
}
