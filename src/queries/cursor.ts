import { queryBounds } from '../values/bounds.ts'
import { fault } from '../values/faults/fault.ts'
import { jointRanks, type Kind, type Read } from '../values/kinds/kind.ts'
import type { Collection, CollectionField } from './collection.ts'
import type { SortTerm, Value } from './query.ts'

/** The position of a row: its values in the sort's fields. */
export interface Cursor {
  readonly values: readonly Value[]
  /** The indexes of values that are too long for an address: they are read from the row itself. */
  readonly omitted: readonly number[]
}

/** The position of a row as opaque text, valid only for its sort. */
export function writeCursor(collection: Collection, sort: readonly SortTerm[], values: readonly Value[]): string {
  const [only, ...others] = values
  if (isPlain(collection, sort) && only !== undefined && others.length === 0)
    return String(sort[0]?.field.kind.write(only))
  const content = JSON.stringify([...values.map((value) => (isLong(value) ? OMITTED : value)), ...orderMark(sort)])
  return Buffer.from(`${fingerprint(collection, sort, content)}${content}`).toString('base64url')
}

export function readCursor(collection: Collection, sort: readonly SortTerm[], text: string): Read<Cursor> {
  if (isPlain(collection, sort)) return readKey(sort, text)
  const decoded = Buffer.from(text, 'base64url').toString()
  const content = decoded.slice(FINGERPRINT)
  if (decoded.slice(0, FINGERPRINT) !== fingerprint(collection, sort, content)) return foreign
  const mark = orderMark(sort)
  const parsed = parse(content)
  if (!Array.isArray(parsed) || parsed.length !== sort.length + mark.length) return foreign
  const values = parsed.slice(0, sort.length)
  if (parsed[sort.length] !== mark[0]) return outdated
  const omitted = [...values.keys()].filter((at) => isOmitted(sort[at]?.field, values[at]))
  if (!sort.every(({ field }, at) => omitted.includes(at) || fits(field, values[at]))) return foreign
  return { value: { values: values.map((value, at) => (omitted.includes(at) ? '' : value)), omitted } }
}

const OMITTED: readonly never[] = []

const isLong = (value: Value): boolean => typeof value === 'string' && Buffer.byteLength(value) > queryBounds.cursorText

const isOmitted = (field: CollectionField | undefined, value: unknown): boolean =>
  field?.kind.name === 'text' && Array.isArray(value) && value.length === 0

function parse(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

const foreign = fault('malformed', { wants: 'cursor' })
const outdated = fault('cursor-outdated')

/** Identifies the order of choices, which may change: a cursor of another order would skip rows, or repeat them. */
function orderMark(sort: readonly SortTerm[]): readonly string[] {
  const orders = sort.flatMap(({ field }) => (mayBeArranged(field) ? orderOf(field.kind) : []))
  return orders.length === 0 ? [] : [checksum(orders.join()).toString(36)]
}

/** Whether admins may order its choices. */
const mayBeArranged = ({ kind: { name, arranged, titled }, through }: CollectionField): boolean =>
  arranged === true || (name === 'choice' && titled !== undefined && through === undefined)

const isPlain = (collection: Collection, sort: readonly SortTerm[]): boolean =>
  collection.keyIsCursor && sort[0]?.field.name === collection.key && !sort[0].descending

function readKey(sort: readonly SortTerm[], text: string): Read<Cursor> {
  const read = sort[0]?.field.kind.readText(text) ?? foreign
  return 'fault' in read ? read : { value: { values: [read.value as Value], omitted: [] } }
}

const FINGERPRINT = 8

/** Detects another sort, another unit or a changed letter. A checksum, not a signature. */
function fingerprint({ name }: Collection, sort: readonly SortTerm[], content: string): string {
  const order = sort.map(
    ({ field, descending, nullsFirst }) =>
      `${nullsFirst ? '0' : ''}${descending ? '-' : ''}${field.name}${field.kind.name === 'amount' ? ' in thousandths' : ''}`,
  )
  return checksum(`${name}?${order}=${content}`).toString(16).padStart(FINGERPRINT, '0')
}

/** FNV-1a of 32 bits. */
function checksum(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

const orderOf = ({ within, schema }: Kind<unknown>): readonly unknown[] =>
  within === undefined ? [JSON.stringify(schema)] : [...jointRanks(within).keys()]

/** Whether the field can have the value: writing and reading it gives the same. */
function fits(field: CollectionField, value: unknown): value is Value {
  const { kind } = field
  // A value that the model no longer has is behind the others.
  if (mayBeArranged(field) && typeof value === 'string') return true
  // An earlier release stored totals that the kind no longer accepts.
  if (kind.name === 'amount' && Number.isSafeInteger(value)) return true
  const read = kind.read(kind.write(value))
  return 'value' in read && read.value === value
}
