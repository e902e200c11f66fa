import type { Operation } from '../../../model/operation.ts'
import type { Member } from '../../../values/members.ts'
import type { Call } from '../../endpoint.ts'

/** The parameters of an operation: the JSON body, or the fields of an HTML form as their kinds read them. */
export function rawParams({ body, fields }: Call, operation: Operation): unknown {
  return fields === undefined ? (body ?? {}) : fromFields(fields, operation.params)
}

/** Control fields (revision, command id, where to go afterwards), not parameters. */
const about = new Set(['_revision', '_command', '_return'])

/** A field about the thing that a parameter refers to, such as `_customerId.name`: what it is to be, or how to find it. */
export function aboutReference(
  field: string,
  members: { readonly [name: string]: Member<unknown> },
): { readonly param: string; readonly member: string } | undefined {
  const [, param = '', member = ''] = /^_(\w+)\.(\w+)$/.exec(field) ?? []
  const kind = Object.hasOwn(members, param) ? members[param]?.kind : undefined
  return kind?.refersTo === undefined ? undefined : { param, member }
}

export function fromFields(
  fields: ReadonlyMap<string, string>,
  members: { readonly [name: string]: Member<unknown> },
): unknown {
  const raw: Record<string, unknown> = Object.create(null)
  const give = (name: string, text: string): void => {
    raw[name] = fromText(text, Object.hasOwn(members, name) ? members[name] : undefined)
  }
  for (const [name, text] of fields) {
    const reference = aboutReference(name, members)
    if (reference?.member === 'find') give(reference.param, text)
    else if (reference === undefined && !about.has(name) && !fields.has(`_${name}.find`)) give(name, text)
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
