import { anybody, type Reader } from '../../../languages/reader.ts'
import { instantAt } from '../../../languages/zones.ts'
import type { Operation } from '../../../model/schema.ts'
import { isNumeric } from '../../../values/kinds/kind.ts'
import type { Member, Members } from '../../../values/members.ts'
import type { Call } from '../../contract/endpoint.ts'

/** The parameters of an operation: the JSON body, or the fields of an HTML form as their kinds read them. */
export function rawParams({ body, fields, emptied, reader }: Call, { params, differences }: Operation): unknown {
  if (fields === undefined) return body ?? {}
  return differences ? changedIn(fields, emptied, params, reader) : fromFields(fields, params, reader, emptied)
}

/** The fields of a form that shows all values: empty ones were emptied. */
export function changedIn(
  fields: ReadonlyMap<string, string>,
  emptied: ReadonlySet<string> = new Set(),
  members: Members,
  reader: Call['reader'],
): unknown {
  return { ...emptyValues(emptied, members), ...(fromFields(fields, members, reader, emptied) as object) }
}

/** If a change contains only differences, a field that was emptied is one. */
function emptyValues(emptied: ReadonlySet<string>, members: Members): object {
  const among = Object.entries(members).filter(([name]) => emptied.has(name))
  return Object.fromEntries(among.map(([name, { kind }]) => [name, kind.nullable ? null : '']))
}

/** Control fields (revision, command id, seed, where to go afterwards), not parameters. */
const about = new Set(['_revision', '_command', '_seed', '_return'])

/**
 * A field about the thing that a parameter refers to, such as `_customerId.name`: a value of the new thing, or how to
 * find it.
 */
export function aboutReference(
  field: string,
  members: { readonly [name: string]: Member<unknown> },
): { readonly param: string; readonly member: string } | undefined {
  const [, param = '', member = ''] = /^_(\w+)\.(\w+)$/.exec(field) ?? []
  const kind = Object.hasOwn(members, param) ? members[param]?.kind : undefined
  return kind?.refersTo === undefined ? undefined : { param, member }
}

/**
 * A time without an offset, as browsers send it, is read by the reader's clock. A field that was not sent at all is
 * missing.
 */
export function fromFields(
  fields: ReadonlyMap<string, string>,
  members: { readonly [name: string]: Member<unknown> },
  { timeZone }: Pick<Reader, 'timeZone'> = anybody,
  emptied: ReadonlySet<string> | undefined = undefined,
): unknown {
  const raw: Record<string, unknown> = Object.create(null)
  const give = (name: string, text: string): void => {
    raw[name] = fromText(text, Object.hasOwn(members, name) ? members[name] : undefined, timeZone)
  }
  for (const [name, text] of fields) {
    const reference = aboutReference(name, members)
    if (reference?.member === 'find') give(reference.param, text)
    else if (reference === undefined && !about.has(name) && !fields.has(`_${name}.find`)) give(name, text)
  }
  for (const [name, member] of Object.entries(members)) {
    if (Object.hasOwn(raw, name) || !member.required || !mayBeEmpty(member)) continue
    const isEmptied = emptied === undefined || emptied.has(name) || emptied.has(`_${name}.find`)
    if (isEmptied) raw[name] = member.kind.nullable ? null : ''
  }
  return { ...raw }
}

/** Text that the kind cannot read stays unchanged, so that the decision reports it. */
function fromText(text: string, member: Member<unknown> | undefined, timeZone: string | undefined): unknown {
  const read = member?.kind.readText(text)
  if (read !== undefined && 'value' in read) return member?.kind.write(read.value)
  if (member?.kind.name === 'instant') return instantAt(text, timeZone) ?? text
  return member !== undefined && isNumeric(member.kind) && plainNumber.test(text) ? Number(text) : text
}

const plainNumber = /^-?\d{1,15}(\.\d+)?$/

/** Empty fields are omitted, except for a required parameter that accepts null or an empty string. */
const mayBeEmpty = ({ kind }: Member<unknown>): boolean => kind.nullable || 'value' in kind.read('')
