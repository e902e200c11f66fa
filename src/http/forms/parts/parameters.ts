import type { Operation } from '../../../model/operation.ts'
import type { Member } from '../../../values/members.ts'
import type { Call } from '../../endpoint.ts'

/** The parameters of an operation: the JSON body, or the fields of an HTML form as their kinds read them. */
export function rawParams({ body, fields }: Call, operation: Operation): unknown {
  return fields === undefined ? (body ?? {}) : fromFields(fields, operation.params)
}

/** Control fields (revision, command id, the page to go back to), not parameters. */
const about = new Set(['_revision', '_command', '_return'])

export function fromFields(
  fields: ReadonlyMap<string, string>,
  members: { readonly [name: string]: Member<unknown> },
): unknown {
  const raw: Record<string, unknown> = Object.create(null)
  for (const [name, text] of fields) {
    if (!about.has(name)) raw[name] = fromText(text, Object.hasOwn(members, name) ? members[name] : undefined)
  }
  for (const [name, member] of Object.entries(members)) {
    if (!Object.hasOwn(raw, name) && member.required && mayBeEmpty(member)) raw[name] = member.kind.nullable ? null : ''
  }
  return { ...raw }
}

/** Text that the kind cannot read stays as it is, so that the decision reports it. */
function fromText(text: string, member: Member<unknown> | undefined): unknown {
  const read = member?.kind.readText(text)
  if (read !== undefined && 'value' in read) return member?.kind.write(read.value)
  const isNumeric = member?.kind.name === 'amount' || member?.kind.name === 'integer'
  return isNumeric && plainNumber.test(text) ? Number(text) : text
}

const plainNumber = /^-?\d{1,15}(\.\d+)?$/

/** Empty fields are omitted, except for a required parameter that accepts null or an empty string. */
const mayBeEmpty = ({ kind }: Member<unknown>): boolean => kind.nullable || 'value' in kind.read('')
