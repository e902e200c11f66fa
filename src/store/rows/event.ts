import type { DomainEvent, DoneBy, HappenedTo, Happening } from '../../model/declaration/event.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { privateTo } from '../../model/intent/caller.ts'
import type { AppliedVerdict } from '../../model/intent/intent.ts'
import { imported, importedWords } from '../../model/nouns/customer/imported.ts'
import type { ImportCounts } from '../../model/nouns/imports/import-counts.ts'
import { type UndoneThings, undoneWords } from '../../model/nouns/imports/undone.ts'
import type { StoredEvent } from '../port/desk.ts'
import type { BatchOutcome } from '../port/store.ts'
import { type SqlDialect, statementIn } from '../sql/dialect.ts'
import { type RowDocument, rowDocument } from '../sql/row-document.ts'
import type { Row, Statement } from '../sql/statement.ts'
import { isOfThing } from '../sql/thing-events.ts'
import { removedJson } from './things.ts'
import { BEFORE_THING, wholeState } from './whole-state.ts'

/** An event with all values of its row. */
export interface EventRow<On extends HappenedTo = Resource> {
  readonly event: DomainEvent<On>
  /** As JSON text. */
  readonly params: string
  /** The stored part of the resulting thing: all of it, or the changed members, without braces. */
  readonly kept: string
  /** Whether its subject leads to it; SQLite reaches the others from the next one. decisions/0060 */
  readonly isMilestone: boolean
  readonly stored: StoredEvent
}

/** The interval of revisions that store the whole thing, and that their subject leads to. */
export const WHOLE_EACH = 16

/** `doc` is the resulting thing, `told` the previous event's one, if it is known. */
export function eventRow(event: DomainEvent, doc: string, told?: Thing): EventRow {
  const { operation, thing, at } = event
  const { event: type, action } = operation.words
  const params = JSON.stringify(event.params)
  const entry = entryJson(eventBody(event, params), type, action, at)
  // Imported together, things change without an event for each.
  const { imports, structures = [] } = operation.on
  // Parts are put together by the members of flat things.
  const isFlat = imports !== 'together' && structures.length === 0
  // The feed, which is trimmed, leaves out what an undone import did to a thing.
  const isMilestone = thing.revision % WHOLE_EACH === 0 || type === undoneWords.event
  const isWhole = told === undefined || isMilestone || !isFlat
  const kept = isWhole ? doc : operation.on.changesToJson(told, thing)
  const stored = { revision: thing.revision, operation: operation.name, at, entry, doc }
  return { event, params, kept, isMilestone, stored }
}

/** The rows of a change's events. */
export const changeRows = ({ events, thing, removed }: AppliedVerdict, told: Thing | undefined): readonly EventRow[] =>
  events.map((event, at) => changeRow(event, removed && event.thing === thing, at === 0 ? told : events[at - 1]?.thing))

export const changeRow = (event: DomainEvent, removed: boolean, told: Thing | undefined): EventRow =>
  removed
    ? lastOf(eventRow(event, removedJson(event.thing)))
    : eventRow(event, event.operation.on.toJson(event.thing), told)

/** No row leads to it. */
const lastOf = (row: EventRow): EventRow => ({ ...row, isMilestone: true })

/**
 * The thing, if its last event is younger than the opening of the store: those of another release may have other
 * members.
 */
export const toldSince = (opened: string, thing: Thing | undefined): Thing | undefined =>
  thing !== undefined && thing.updatedAt > opened ? thing : undefined

/** No existing event is later, whatever the clock says; decisions from now on are, unless an event is of this moment. */
export function openedAt(rows: readonly Row[]): string {
  const last = rows[0]?.[0]
  const before = new Date(Date.now() - 1).toISOString()
  return typeof last === 'string' && last > before ? last : before
}

/** By time, not by position: one of the last may come from a clock that was ahead. */
export const lastEvent = {
  name: 'last-event',
  text: 'SELECT max(at) FROM (SELECT at FROM events ORDER BY sequence DESC LIMIT 10000) AS latest',
}

/** The event of an import: its counts, under its own id. */
export function importRow(
  schema: Schema,
  { inserted, updated, unchanged }: ImportCounts,
  id: string,
  revision: number,
  at: string,
  by: DoneBy,
): EventRow {
  const params = { inserted, updated, unchanged }
  const thing = { id, createdAt: at, updatedAt: at, revision }
  const operation = imported(schema)
  const event = { operation, params, thing, at, ...by, form: operation.name, commandId: null }
  return lastOf(eventRow(event, JSON.stringify(params)))
}

/** The event of an undone import: its things, under its own id. */
export function undoneRow(
  operation: Happening,
  id: string,
  things: UndoneThings,
  revision: number,
  at: string,
  by: DoneBy,
): EventRow<HappenedTo> {
  const thing = { id, createdAt: at, updatedAt: at, revision }
  const event = { operation, params: {}, thing, at, ...by, form: 'import', commandId: null }
  const doc = JSON.stringify({ id, ...things })
  const entry = entryJson(eventBody(event, '{}'), operation.words.event, operation.words.action, at)
  const stored = { revision, operation: operation.name, at, entry, doc }
  return { event, params: '{}', kept: doc, isMilestone: true, stored }
}

/** The columns of an event, except its position in the feed. */
export const eventColumns = [
  'resource',
  'subject',
  'revision',
  'type',
  'operation',
  'action',
  'actor',
  'key_name',
  'form',
  'command_id',
  'at',
  'params',
  'doc',
  'private_to',
  'import_id',
] as const

export function eventValues({ event, params, kept }: EventRow<HappenedTo>): readonly (string | number | null)[] {
  const { operation, thing, actor, key = null, form, commandId, at, importId = null } = event
  const { event: type, action } = operation.words
  return [
    ...[operation.on.name, String(thing.id), thing.revision, type, operation.name, action],
    ...[actor, key, form, commandId, at, params, kept, privateTo(operation.on, thing), importId],
  ]
}

/** The view of events with their body, and as their document the input of `wholeState`. decisions/0052 */
export const TOLD_EVENTS = 'told_events'

/** Finds the event that made a thing's revision. */
export const findEvent = (dialect: SqlDialect, resource: Resource): Statement =>
  statementIn(dialect, {
    name: `event of ${resource.name}`,
    text: `SELECT revision, operation, type, action, at, body, doc FROM ${TOLD_EVENTS}
      WHERE ${isOfThing(dialect, resource, '?1', '?2')} AND revision = ?2 AND resource = '${resource.name}'`,
  })

export function readEvent(row: readonly unknown[]): StoredEvent {
  const [revision, operation = '', type = '', action = '', at = '', body = '', doc = ''] = row.map(String)
  return { revision: Number(revision), operation, at, entry: entryJson(body, type, action, at), doc: wholeState(doc) }
}

/**
 * The common part of a history entry and an event, as JSON members without braces: the view of the events derives the
 * same text from the columns, and both documents are built around it.
 */
function eventBody({ operation, thing, actor, key, form, commandId }: DomainEvent<HappenedTo>, params: string): string {
  const by = `"actor":${JSON.stringify(actor)}${key === undefined ? '' : `,"key":${JSON.stringify(key)}`}`
  const command = commandId === null ? '' : `,"commandId":${JSON.stringify(commandId)}`
  return `"operation":"${operation.name}","params":${params},"revision":${thing.revision},${by},"form":"${form}"${command}`
}

/** An entry of the history. */
export const entryDocument: RowDocument = rowDocument`{${'body'},"action":"${'action'}","type":"${'type'}","at":"${'at'}"}`

const entryJson = (body: string, type: string, action: string, at: string): string =>
  entryDocument.write(body, action, type, at)

/** An import has counts where others have their thing. */
const subjectMember = `CASE type WHEN '${importedWords.event}' THEN 'counts' ELSE resource END`

/**
 * CloudEvents 1.0, JSON event format, with a mark for `shownEvent`; `sequence` is the expression for the event's
 * position in the feed.
 */
export const feedDocument = (sequence: string): RowDocument =>
  rowDocument`{"specversion":"1.0","id":"${sequence}","source":"/events","type":"${'type'}","subject":"${'subject'}","time":"${'at'}","sequence":"${sequence}","datacontenttype":"application/json","data":{${'body'},"${subjectMember}":${`'${BEFORE_THING}' || doc`}}}`

/** Whether there are new events. */
export const hasEvents = ({ isKept, outcomes }: BatchOutcome): boolean =>
  isKept && outcomes.some((each) => each.kind === 'applied' && each.event !== undefined && !each.replayed)
