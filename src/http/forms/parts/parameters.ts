import { REGION_FIELD, readDecimal } from '../../../languages/decimals.ts'
import { anybody, type Reader } from '../../../languages/reader.ts'
import { instantAt } from '../../../languages/zones.ts'
import type { Operation } from '../../../model/declaration/schema.ts'
import { type Fault, reason } from '../../../values/faults/fault.ts'
import { numberIn } from '../../../values/json/exact-numbers.ts'
import { choicesIn } from '../../../values/kinds/choices.ts'
import { isNumeric, type Kind } from '../../../values/kinds/kind.ts'
import { type Member, type Members, memberAt, nested } from '../../../values/members.ts'
import type { Call } from '../../contract/endpoint.ts'
import { DOWN, membersInParts, readParts, UP } from './form-parts.ts'

/** The parameters of an operation: the JSON body, or the fields of an HTML form as their kinds read them. */
export function rawParams({ body, fields, emptied, reader }: Call, operation: Operation): unknown {
  if (fields === undefined) return body ?? {}
  const { params } = operation
  return nested([...emptyValues(emptied, emptiedBy(operation)), ...valuesOf(fields, params, reader, emptied)])
}

/**
 * The parameters that a form empties: those of a change, and those that set a field that may be empty. Without a value,
 * another one is not asked for: a move stays in its pipeline.
 */
function emptiedBy({ params, differences, sets = {} }: Operation): Members {
  if (differences) return params
  return Object.fromEntries(
    Object.entries(params).filter(
      ([name, member]) => !member.required && Object.hasOwn(sets, name) && mayBeEmpty(member),
    ),
  )
}

/** The fields of a form as they were sent, which are read by their kinds and by the clock of the reader. */
export const fieldsSent = (
  fields: ReadonlyMap<string, string>,
  { path, emptied = new Set(), reader }: Pick<Call, 'path' | 'emptied' | 'reader'>,
): unknown => [
  path,
  Object.fromEntries([...fields].filter(([name]) => name === REGION_FIELD || !about.has(name))),
  [...emptied].toSorted(),
  reader.timeZone ?? null,
]

/** The fields of a form that shows all values: empty ones were emptied. */
export function changedIn(
  fields: ReadonlyMap<string, string>,
  emptied: ReadonlySet<string> | undefined,
  members: Members,
  reader: Call['reader'],
): unknown {
  return nested([...emptyValues(emptied, members), ...valuesOf(fields, members, reader, emptied)])
}

/** A field that showed a value and is sent without one was emptied. */
function emptyValues(emptied: ReadonlySet<string> = new Set(), members: Members): readonly [string, unknown][] {
  const among = Object.entries(members).filter(([name]) => emptied.has(name))
  return among.map(([name, { kind }]) => [name, emptyValue(kind)])
}

function emptyValue({ nullable, name, schema }: Kind<unknown>): unknown {
  if (nullable) return null
  return name === 'json' ? (schema.type === 'array' ? [] : {}) : ''
}

/** Control fields (revision, command id, region, seed, where to go afterwards), not parameters. */
const about = new Set(['_revision', '_command', REGION_FIELD, '_seed', '_return', UP, DOWN])

/**
 * A field about the thing that a parameter refers to, such as `_customerId.name`: a value of the new thing, or how to
 * find it.
 */
export function aboutReference(
  field: string,
  members: { readonly [name: string]: Member<unknown> },
): { readonly param: string; readonly member: string } | undefined {
  const [, param = '', member = ''] = /^_(\w+(?:\.\w+)?)\.(\w+)$/.exec(field) ?? []
  const kind = Object.hasOwn(members, param) ? members[param]?.kind : undefined
  return kind?.refersTo === undefined ? undefined : { param, member }
}

/**
 * A time without an offset, as browsers send it, is read by the reader's clock. A field that was not sent at all is
 * missing.
 */
export const fromFields = (
  fields: ReadonlyMap<string, string>,
  members: Members,
  reader: Pick<Reader, 'timeZone'> = anybody,
  emptied: ReadonlySet<string> | undefined = undefined,
): unknown => nested(valuesOf(fields, members, reader, emptied))

/** By the names of the members. */
function valuesOf(
  fields: ReadonlyMap<string, string>,
  members: Members,
  { timeZone }: Pick<Reader, 'timeZone'> = anybody,
  emptied: ReadonlySet<string> | undefined = undefined,
): readonly [string, unknown][] {
  const raw: Record<string, unknown> = Object.create(null)
  const give = (name: string, text: string): void => {
    const member = Object.hasOwn(members, name) ? members[name] : undefined
    raw[name] = fromText(text, member, timeZone, fields.get(REGION_FIELD))
  }
  const parts = { fields, emptied: emptied ?? new Set<string>() }
  const structured = (name: string): Kind<unknown> | undefined => {
    const kind = Object.hasOwn(members, name) ? members[name]?.kind : undefined
    return kind?.name === 'json' ? kind : undefined
  }
  for (const name of membersInParts(parts)) {
    const kind = structured(name)
    if (kind !== undefined) raw[name] = readParts(kind, name, parts)
  }
  for (const [name, text] of fields) {
    // A part has been read with its member.
    if (name.includes('/') && structured(name.slice(0, name.indexOf('/'))) !== undefined) continue
    const reference = aboutReference(name, members)
    if (reference?.member === 'find') give(reference.param, text)
    else if (reference === undefined && !about.has(name) && !fields.has(`_${name}.find`)) give(name, text)
  }
  for (const [name, member] of Object.entries(members)) {
    if (Object.hasOwn(raw, name) || !member.required || !mayBeEmpty(member)) continue
    const isEmptied = emptied === undefined || emptied.has(name) || emptied.has(`_${name}.find`)
    if (isEmptied) raw[name] = member.kind.nullable ? null : ''
  }
  return Object.entries(raw)
}

/** Text that the kind cannot read stays unchanged, so that the decision reports it. */
function fromText(
  sent: string,
  member: Member<unknown> | undefined,
  timeZone: string | undefined,
  region: string | undefined,
): unknown {
  const decimal = region !== undefined && member?.kind.name === 'amount' ? readDecimal(sent, region) : { value: sent }
  if ('meanings' in decimal) return sent
  const text = decimal.value
  const read = member?.kind.readText(text)
  if (read !== undefined && 'value' in read) return member?.kind.write(read.value)
  if (member?.kind.name === 'instant') return instantAt(text, timeZone) ?? text
  if (member?.kind.name === 'choices') return choicesIn(text)
  return member !== undefined && isNumeric(member.kind) && plainNumber.test(text) ? numberIn(text) : text
}

/** The faults of a form's fields: an amount that is malformed in the region of its form says what it can mean. */
export function asTyped(
  faults: readonly Fault[],
  fields: ReadonlyMap<string, string>,
  members: { readonly [name: string]: Member<unknown> },
): readonly Fault[] {
  const region = fields.get(REGION_FIELD)
  if (region === undefined) return faults
  return faults.map((fault) => {
    const name = memberAt(fault.at.pointer)
    const kind = Object.hasOwn(members, name) ? members[name]?.kind : undefined
    const text = fields.get(name)
    if (kind?.name !== 'amount' || text === undefined) return fault
    const read = readDecimal(text, region)
    if ('value' in read) return fault
    const [first, second] = read.meanings
    if (first !== undefined)
      return { ...reason('unclear-amount', { first, ...(second !== undefined && { second }) }), at: fault.at }
    const malformed = kind.readText(text)
    return 'fault' in malformed ? { ...malformed.fault, at: fault.at } : fault
  })
}

const plainNumber = /^-?\d{1,15}(\.\d+)?$/

/** Empty fields are omitted, except for a required parameter that accepts null or an empty string. */
const mayBeEmpty = ({ kind }: Member<unknown>): boolean => kind.nullable || 'value' in kind.read('')
