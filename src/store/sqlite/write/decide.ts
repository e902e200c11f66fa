import type { DatabaseSync } from 'node:sqlite'
import type { DomainEvent } from '../../../model/event.ts'
import type { Command, Intent } from '../../../model/intent/intent.ts'
import { mayRemovePart, wouldRemove } from '../../../model/intent/look-ahead.ts'
import { idSought } from '../../../model/intent/unique-values.ts'
import { partFrom } from '../../../model/perform/part.ts'
import { decideIntent } from '../../../model/perform/perform.ts'
import type { Key } from '../../../model/resource.ts'
import { isDeleted, isRemoval, referrersOf, resourceNamed } from '../../../model/resources.ts'
import type { Resource, Schema } from '../../../model/schema.ts'
import { onceFor } from '../../../values/memoize.ts'
import { eventOf } from '../../port/event-of.ts'
import type { Outcome } from '../../port/store.ts'
import { changeRow, changeRows, lastEvent, openedAt, toldSince } from '../../rows/event.ts'
import { sinceAfter } from '../../rows/projection.ts'
import { columnOfField, storedAfter, storedThing } from '../../rows/things.ts'
import type { Row } from '../../sql/statement.ts'
import { isDamage } from '../connect/faults.ts'
import { selectRunner } from '../connect/statements.ts'
import { commandRows } from './command-rows.ts'
import { eventRows } from './event-rows.ts'
import { projector } from './projection-rows.ts'
import { brokenConditions, queryFaults } from './query-faults.ts'
import { thingRows } from './thing-rows.ts'

export interface DecidedIntent {
  readonly outcome: Outcome
  /** The changes that follow, decided next. */
  readonly entails: readonly Intent[]
}

export interface Decider {
  decide(intent: Intent): DecidedIntent
  /** Called when others may have written: at the beginning of a transaction, and after other work in it. */
  begin(): void
}

/** Reads, decides and writes by one schema on one connection, in the caller's transaction. */
export function openDecider(db: DatabaseSync, schema: Schema, defaults: { readonly currency: string }): Decider {
  // A model may change with each write, and most writes are of few resources: a table's statements are prepared when it
  // is first used.
  const tables = new Map<string, ReturnType<typeof openTable>>()
  const tableOf = (name: string) => {
    const table = tables.get(name) ?? openTable(db, resourceNamed(schema, name))
    tables.set(name, table)
    return table
  }
  const users = db.prepare('SELECT 1 FROM users WHERE name = ?')
  const events = eventRows(db)
  const commands = commandRows(db)
  const opened = openedAt(readLastEvent(db))
  const faultsOf = queryFaults(schema)
  const breaking = brokenConditions(db)
  const partingsOf = onceFor((resource: Resource) =>
    referrersOf(resource)
      .filter(({ without }) => without !== undefined)
      .map((referrer) => {
        const { from, field } = referrer
        return {
          referrer,
          select: db.prepare(`SELECT id FROM ${from.plural} WHERE ${columnOfField(from, field)} = ? ORDER BY id`),
        }
      }),
  )

  return {
    decide,
    begin() {
      for (const { begin } of tables.values()) begin()
    },
  }

  function decide(intent: Intent): DecidedIntent {
    const resource: Resource = resourceNamed(schema, intent.resource)
    const table = tableOf(intent.resource)
    const sought = idSought(intent, resource, table.idBy)
    const found = sought === undefined ? undefined : table.find(sought)
    const before = found?.thing
    const verdict = decideIntent(intent, {
      resource,
      thing: before,
      ...(before && intent.guard.unmodifiedSince !== undefined && { previousAt: table.previousAt(before.id) }),
      command: intent.command && commands.find(intent.command.id, schema),
      exists: (other, id, isLinked) => {
        if (other === 'user') return users.get(id) !== undefined
        if (!isLinked) return tableOf(other).exists(id)
        const named = tableOf(other).find(id)?.thing
        return named !== undefined && !isDeleted(named)
      },
      related: (other, id) => tableOf(other).find(id)?.thing,
      idBy: table.idBy,
      queryFaults: faultsOf,
      heldBy: before !== undefined && wouldRemove(intent, resource) ? table.heldBy(before.id) : [],
      ...(before && mayRemovePart(intent, resource) && { counts: table.counts(before.id) }),
      ...(resource.shapes && { breaks: breaking(resource) }),
      now: new Date().toISOString(),
      newId: table.newId,
      defaults,
    })
    if (verdict.kind === 'replay') return { outcome: replay(verdict.command), entails: [] }
    const { command } = verdict
    if (verdict.kind === 'refuse') {
      if (command !== undefined && !intent.dryRun) commands.insert(command, null)
      return { outcome: { kind: 'refused', refusal: verdict.refusal, replayed: false }, entails: [] }
    }
    const { thing, removed, made, entails } = verdict
    const rows = changeRows(verdict, toldSince(opened, before))
    const event = rows.at(-1)?.stored
    const json = event === undefined || removed ? resource.toJson(thing) : event.doc
    if (!intent.dryRun) {
      if (command !== undefined) commands.insert(command, rows.length === 0 ? json : null)
      if (removed) part(verdict.events)
      const last = events.append(rows, found?.lastEvent ?? null)
      if (removed) table.remove(thing.id)
      else if (rows.length > 0) {
        const since = sinceAfter(resource, before, verdict.events)
        if (before === undefined) table.insert(thing, json, last, since)
        else table.update(before, thing, json, last, since)
      }
      if (!removed) table.project?.(before, verdict.events)
    }
    const stored = storedThing(resource, thing, json)
    return {
      outcome: { kind: 'applied', thing: stored, removed, made, event, command, replayed: false },
      entails,
    }
  }

  /** Unlinks things that refer to a removed thing. */
  function part(removal: readonly DomainEvent[]): void {
    const last = removal.at(-1)
    if (last === undefined) return
    for (const { referrer, select } of partingsOf(resourceNamed(schema, last.operation.on.name))) {
      const { from } = referrer
      const table = tableOf(from.name)
      for (const { id } of select.all(last.thing.id)) {
        const found = table.find(id as Key)
        if (found === undefined) continue
        const { thing: before, lastEvent } = found
        const { event, removed } = partFrom(referrer, before, last)
        const row = changeRow(event, removed, toldSince(opened, before))
        const told = events.append([row], lastEvent)
        if (removed) table.remove(before.id)
        else table.update(before, event.thing, row.stored.doc, told, sinceAfter(from, before, [event]))
        if (!removed) table.project?.(before, [event])
      }
    }
  }

  /** Repeats the outcome of a decided command: the thing as the command left it. */
  function replay(command: Command): Outcome {
    if (command.refusal !== null) return { kind: 'refused', refusal: command.refusal, replayed: true }
    const resource = resourceNamed(schema, command.resource)
    const event = events.find(resource, command.subject, command.revision)
    const kept = event === undefined ? commands.docOf(command.id) : undefined
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
}

const openTable = (db: DatabaseSync, resource: Resource) => ({
  ...thingRows(db, resource),
  project: projector(db, resource),
})

/** A damaged page is reported to its reader; a start that only needs the time continues. */
function readLastEvent(db: DatabaseSync): readonly Row[] {
  try {
    return selectRunner(db)({ text: lastEvent.text, values: [] })
  } catch (cause) {
    if (isDamage(cause)) return []
    throw cause
  }
}
