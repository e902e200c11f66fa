import type { DatabaseSync } from 'node:sqlite'
import type { DomainEvent } from '../../../model/declaration/event.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { AppliedVerdict, Command, DecisionFacts, Intent } from '../../../model/intent/intent.ts'
import { mayRemovePart, wouldRemove } from '../../../model/intent/look-ahead.ts'
import { idSought } from '../../../model/intent/unique-values.ts'
import { partFrom } from '../../../model/perform/part.ts'
import { decideIntent, unprepared } from '../../../model/perform/perform.ts'
import { isDeleted, isRemoval, referrersOf, resourceNamed } from '../../../model/schema/resources.ts'
import { onceFor } from '../../../values/memoize.ts'
import { eventOf } from '../../port/event-of.ts'
import type { Outcome } from '../../port/store.ts'
import { changeRow, changeRows, lastEvent, openedAt, toldSince } from '../../rows/event.ts'
import { sinceAfter } from '../../rows/projection.ts'
import { columnOfField, storedAfter, storedThing } from '../../rows/things.ts'
import type { Row } from '../../sql/statement.ts'
import { peopleWork } from '../../work/accounts/people.ts'
import { isDamage } from '../connect/faults.ts'
import { selectRunner, workRunner } from '../connect/statements.ts'
import { sqlite } from '../sql/dialect.ts'
import { commandRows } from './command-rows.ts'
import { eventRows } from './event-rows.ts'
import { projector } from './projection-rows.ts'
import { brokenConditions, queryFaults } from './query-faults.ts'
import { type LastState, thingRows } from './thing-rows.ts'

export interface DecidedIntent {
  readonly outcome: Outcome
  /** The changes that follow, decided next. */
  readonly entails: readonly Intent[]
}

/** Reads, decides and writes by one schema on one connection, in the caller's transaction. */
export class Decider {
  readonly #db: DatabaseSync
  readonly #schema: Schema
  readonly #defaults: { readonly currency: string }
  // A model may change with each write, and most writes are of few resources: a table's statements are prepared when it
  // is first used.
  readonly #tables = new Map<string, Table>()
  readonly #people: DecisionFacts['people']
  readonly #events: ReturnType<typeof eventRows>
  readonly #commands: ReturnType<typeof commandRows>
  readonly #opened: ReturnType<typeof openedAt>
  readonly #queryFaults: DecisionFacts['queryFaults']
  readonly #breaking: ReturnType<typeof brokenConditions>
  readonly #partings = onceFor((resource: Resource) => partingsOf(this.#db, resource))

  constructor(db: DatabaseSync, schema: Schema, defaults: { readonly currency: string }) {
    this.#db = db
    this.#schema = schema
    this.#defaults = defaults
    const runWork = workRunner(db)
    this.#people = (names) => runWork(peopleNamed(names))
    this.#events = eventRows(db)
    this.#commands = commandRows(db)
    this.#opened = openedAt(readLastEvent(db))
    this.#queryFaults = queryFaults(schema)
    this.#breaking = brokenConditions(db)
  }

  /** Called when others may have written: at the beginning of a transaction, and after other work in it. */
  begin(): void {
    for (const { begin } of this.#tables.values()) begin()
  }

  decide(intent: Intent): DecidedIntent {
    const resource: Resource = resourceNamed(this.#schema, intent.resource)
    const table = this.#tableOf(intent.resource)
    const sought = idSought(intent, resource, table.idBy)
    const found = sought === undefined ? undefined : table.find(sought)
    const verdict = decideIntent(intent, this.#factsOf(intent, resource, table, found?.thing))
    if (verdict.kind === 'replay') return { outcome: this.#replay(verdict.command), entails: [] }
    if (verdict.kind === 'prepare') throw unprepared(intent)
    if (verdict.kind === 'apply') return this.#apply(verdict, found, resource, intent.dryRun)
    const { refusal, command } = verdict
    if (command !== undefined && !intent.dryRun) this.#commands.insert(command, null)
    return { outcome: { kind: 'refused', refusal, replayed: false }, entails: [] }
  }

  #factsOf(intent: Intent, resource: Resource, table: Table, before: Thing | undefined): DecisionFacts {
    return {
      resource,
      thing: before,
      ...(before && intent.guard.unmodifiedSince !== undefined && { previousAt: table.previousAt(before.id) }),
      command: intent.command && this.#commands.find(intent.command.id, this.#schema),
      exists: this.#exists,
      related: this.#related,
      idBy: table.idBy,
      queryFaults: this.#queryFaults,
      people: this.#people,
      heldBy: before !== undefined && wouldRemove(intent, resource) ? table.heldBy(before.id) : [],
      ...(before && mayRemovePart(intent, resource) && { counts: table.counts(before.id) }),
      ...(resource.shapes && { breaks: this.#breaking(resource) }),
      now: new Date().toISOString(),
      newId: table.newId,
      defaults: this.#defaults,
    }
  }

  readonly #exists: DecisionFacts['exists'] = (other, id, isLinked) => {
    if (!isLinked) return this.#tableOf(other).exists(id)
    const named = this.#related(other, id)
    return named !== undefined && !isDeleted(named)
  }

  readonly #related: DecisionFacts['related'] = (other, id) => this.#tableOf(other).find(id)?.thing

  /** Writes what was decided, unless nothing is to be written. */
  #apply(verdict: AppliedVerdict, found: LastState | undefined, resource: Resource, dryRun: boolean): DecidedIntent {
    const { thing, removed, made, command, entails } = verdict
    const before = found?.thing
    const rows = changeRows(verdict, toldSince(this.#opened, before))
    const event = rows.at(-1)?.stored
    const json = event === undefined || removed ? resource.toJson(thing) : event.doc
    if (!dryRun) {
      if (command !== undefined) this.#commands.insert(command, rows.length === 0 ? json : null)
      if (removed) this.#part(verdict.events)
      const last = this.#events.append(rows, found?.lastEvent ?? null)
      const table = this.#tableOf(resource.name)
      if (removed) table.remove(thing.id)
      else if (rows.length > 0) {
        const since = sinceAfter(resource, before, verdict.events)
        if (before === undefined) table.insert(thing, json, last, since)
        else table.update(before, thing, json, last, since)
      }
      if (!removed) table.project?.(before, verdict.events)
    }
    const stored = storedThing(resource, thing, json)
    return { outcome: { kind: 'applied', thing: stored, removed, made, event, command, replayed: false }, entails }
  }

  /** Unlinks things that refer to a removed thing. */
  #part(removal: readonly DomainEvent[]): void {
    const last = removal.at(-1)
    if (last === undefined) return
    for (const { referrer, select } of this.#partings(resourceNamed(this.#schema, last.operation.on.name))) {
      const { from } = referrer
      const table = this.#tableOf(from.name)
      for (const { id } of select.all(last.thing.id)) {
        const found = table.find(id as Key)
        if (found === undefined) continue
        const { thing: before, lastEvent } = found
        const { event, removed } = partFrom(referrer, before, last)
        const row = changeRow(event, removed, toldSince(this.#opened, before))
        const told = this.#events.append([row], lastEvent)
        if (removed) table.remove(before.id)
        else table.update(before, event.thing, row.stored.doc, told, sinceAfter(from, before, [event]))
        if (!removed) table.project?.(before, [event])
      }
    }
  }

  /** Repeats the outcome of a decided command: the thing as the command left it. */
  #replay(command: Command): Outcome {
    if (command.refusal !== null) return { kind: 'refused', refusal: command.refusal, replayed: true }
    const resource = resourceNamed(this.#schema, command.resource)
    const event = this.#events.find(resource, command.subject, command.revision)
    const kept = event === undefined ? this.#commands.docOf(command.id) : undefined
    if (event === undefined && kept === undefined) {
      throw new Error(`command ${command.id} has no event ${command.revision}`)
    }
    const thing =
      event === undefined
        ? storedThing(resource, JSON.parse(kept ?? ''), kept ?? '')
        : storedAfter(resource, command.subject, event)
    const removed = event !== undefined && isRemoval(resource, event.operation)
    return {
      kind: 'applied',
      thing,
      removed,
      made: command.named?.made ?? false,
      event: eventOf(command, event),
      command,
      replayed: true,
    }
  }

  #tableOf(name: string): Table {
    const table = this.#tables.get(name) ?? openTable(this.#db, resourceNamed(this.#schema, name))
    this.#tables.set(name, table)
    return table
  }
}

type Table = ReturnType<typeof openTable>

const openTable = (db: DatabaseSync, resource: Resource) => ({
  ...thingRows(db, resource),
  project: projector(db, resource),
})

const peopleNamed = peopleWork(sqlite)

/** A damaged page is reported to its reader; a start that only needs the time continues. */
function readLastEvent(db: DatabaseSync): readonly Row[] {
  try {
    return selectRunner(db)({ text: lastEvent.text, values: [] })
  } catch (cause) {
    if (isDamage(cause)) return []
    throw cause
  }
}

/** The things that a removal unlinks, by the fields with which they refer to it. */
const partingsOf = (db: DatabaseSync, resource: Resource) =>
  referrersOf(resource)
    .filter(({ without }) => without !== undefined)
    .map((referrer) => {
      const { from, field } = referrer
      const text = `SELECT id FROM ${from.plural} WHERE ${columnOfField(from, field)} = ? ORDER BY id`
      return { referrer, select: db.prepare(text) }
    })
