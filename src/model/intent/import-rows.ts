import type { Fault } from '../../values/faults/fault.ts'
import { notBefore } from '../../values/kinds/time.ts'
import { memberPointer } from '../../values/members.ts'
import { valueIn } from '../declaration/operation.ts'
import type { Key, Thing } from '../declaration/resource.ts'
import type { Resource } from '../declaration/schema.ts'
import { type ImportCounts, noRows } from '../nouns/imports/import-counts.ts'
import { type CallersReading, type Person, personFor } from '../nouns/user/person.ts'
import { personFields } from './persons.ts'

/** The fields of a row, with the id if it names a thing: an existing thing keeps the others. */
export type GivenRow = Readonly<Record<string, unknown>>

/** The member of a row with the fields that its thing has besides if it is new. */
export const IF_NEW = ''

/** The facts for deciding rows of numbered things. */
export interface RowFacts {
  /** The things that rows name. */
  readonly known: ReadonlyMap<Key, Thing>
  /** The last revisions of named things that were deleted. */
  readonly lastRevisions: ReadonlyMap<Key, number>
  /** The thing whose unique field has a value that a row has. */
  readonly idBy: (field: string, value: unknown) => Key | undefined
  /** Whether there is a thing that is not deleted that a row names. */
  readonly exists: (resource: string, id: unknown) => boolean
  /** The users of the names that rows have; all of them if one of the names is nobody's. */
  readonly people: readonly Person[]
  /** The highest number ever assigned. */
  readonly last: number
}

export interface DecidedRows {
  readonly made: readonly Thing[]
  readonly changed: readonly { readonly before: Thing; readonly after: Thing }[]
  /** The rows that have a unique value of another thing, name what does not exist, or lack a required value. */
  readonly refused: readonly RefusedRow[]
  /** The highest number now assigned. */
  readonly last: number
  readonly counts: ImportCounts
}

/** A row with its fault, by its place among the rows. */
export interface RefusedRow {
  readonly at: number
  readonly fault: Fault
}

/**
 * Decides rows of a resource that is imported together: there are no rules between rows and states. A row names its
 * thing by the id or by a unique value; a thing that occurs twice is created first and then changed.
 */
export function decideRows(
  resource: Resource,
  rows: readonly GivenRow[],
  facts: RowFacts,
  now: string,
  reading: CallersReading,
): DecidedRows {
  const { known, lastRevisions } = facts
  const made = new Map<Key, Thing>()
  const changed = new Map<Key, Thing>()
  const refused: RefusedRow[] = []
  const counts = { ...noRows }
  const named = namesAmong(resource, facts, (id) => made.get(id) ?? changed.get(id))
  let { last } = facts
  for (const [at, { id: sent, [IF_NEW]: besides, ...row }] of rows.entries()) {
    const id = (sent as number | undefined) ?? named.idIn(row) ?? last + 1
    const before = made.get(id) ?? changed.get(id) ?? known.get(id)
    const whole: GivenRow = before === undefined ? { ...(besides as GivenRow | undefined), ...row } : row
    const { given, unknown } = withPersons(resource, whole, before, facts, reading)
    const fault = unknown ?? named.faultIn(given, id) ?? missingIn(resource, given, before, facts)
    if (fault !== undefined) {
      refused.push({ at, fault })
      continue
    }
    if (before === undefined) {
      made.set(id, newThing(resource, id, given, (lastRevisions.get(id) ?? 0) + 1, now))
      last = Math.max(last, Number(id))
      counts.inserted++
    } else {
      const after = changedThing(before, given, now)
      if (after === before) counts.unchanged++
      else {
        const kept = made.has(id) ? made : changed
        kept.set(id, after)
        counts.updated++
      }
    }
    named.note(given, id)
  }
  const pairs = [...changed].map(([id, after]) => ({ before: known.get(id) as Thing, after }))
  return { made: [...made.values()], changed: pairs, refused, last, counts }
}

/** The fault of an added field: it names a thing that does not exist, or is required and has no value. */
function missingIn(
  { added }: Resource,
  given: GivenRow,
  before: Thing | undefined,
  { exists }: RowFacts,
): Fault | undefined {
  for (const { name, field } of added) {
    const pointer = memberPointer(name)
    const value = given[name] ?? null
    const isAsked = before === undefined || (Object.hasOwn(given, name) && valueIn(before, name) !== null)
    if (value === null && isAsked && field.required !== undefined) return { code: 'required', at: { pointer } }
    const { refersTo: to } = field.kind
    // A thing may be gone since the field named it.
    const isKept = before !== undefined && valueIn(before, name) === value
    if (value !== null && to !== undefined && !isKept && !exists(to, value))
      return { code: 'not-found', with: { on: to, id: value as Key }, at: { pointer } }
  }
  return undefined
}

/** The row with the names of users for its texts, or the fault of one that names nobody. decisions/0067 */
function withPersons(
  resource: Resource,
  given: GivenRow,
  before: Thing | undefined,
  { people }: RowFacts,
  reading: CallersReading,
): { readonly given: GivenRow; readonly unknown?: Fault } {
  const names: Record<string, string> = {}
  for (const { field, kind } of personFields(resource)) {
    const text = given[field]
    const current = before && valueIn(before, field)
    if (typeof text !== 'string' || current === text) continue
    const person = personFor(kind, text, people, reading, current)
    if ('fault' in person) return { given, unknown: { ...person.fault, at: { pointer: memberPointer(field) } } }
    names[field] = person.name
  }
  return { given: { ...given, ...names } }
}

/** The things that unique values name, as earlier rows left them. */
function namesAmong(
  { name: resource, uniques }: Resource,
  { idBy }: RowFacts,
  thingOf: (id: Key) => Thing | undefined,
) {
  const noted = new Map<string, Key>()
  const nameOf = (field: string, value: unknown): string => `${field} ${value}`
  const given = (row: GivenRow) => uniques.filter((field) => (row[field] ?? null) !== null)
  const idOf = (field: string, value: unknown): Key | undefined => {
    const id = noted.get(nameOf(field, value)) ?? idBy(field, value)
    const thing = id === undefined ? undefined : thingOf(id)
    return thing === undefined || valueIn(thing, field) === value ? id : undefined
  }
  return {
    idIn: (row: GivenRow): Key | undefined =>
      given(row)
        .map((field) => idOf(field, row[field]))
        .find((id) => id !== undefined),
    faultIn(row: GivenRow, id: Key): Fault | undefined {
      const field = given(row).find((each) => (idOf(each, row[each]) ?? id) !== id)
      if (field === undefined) return undefined
      const other = idOf(field, row[field]) ?? null
      return { code: 'not-unique', with: { resource, other }, at: { pointer: memberPointer(field) } }
    },
    note(row: GivenRow, id: Key): void {
      for (const field of given(row)) noted.set(nameOf(field, row[field]), id)
    },
  }
}

/** A thing that was deleted before continues after its last revision. */
function newThing(resource: Resource, id: Key, given: GivenRow, revision: number, now: string): Thing {
  const createdAt = (given.createdAt as string | undefined) ?? now
  const blank = resource.blank(id, now) as unknown as Thing
  return { ...blank, ...given, id, createdAt, updatedAt: notBefore(createdAt, now), revision }
}

/** The same thing if the row does not differ. Its creation is not rewritten. */
function changedThing(before: Thing, { createdAt: _, ...given }: GivenRow, now: string): Thing {
  if (Object.entries(given).every(([name, value]) => valueIn(before, name) === value)) return before
  return { ...before, ...given, updatedAt: notBefore(before.updatedAt, now), revision: before.revision + 1 }
}
