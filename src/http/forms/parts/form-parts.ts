import type { Json } from '../../../values/json/json.ts'
import type { JsonSchema, Kind } from '../../../values/kinds/kind.ts'

/**
 * A value with parts in a form: each part has a field, named by its place, such as `options/values/0/title`. Rows are
 * in the order in which they were sent: a row of which nothing was filled in is none, `_remove` in a row removes it, and
 * `_up` and `_down` name a row that changes places with the one before or behind it.
 */
export function readParts(kind: Kind<unknown>, member: string, sent: SentParts): unknown {
  const value = partAt(withoutNull(kind.schema), member, sent)
  if (value === undefined) return kind.nullable ? null : withoutNull(kind.schema).type === 'array' ? [] : {}
  return kind.fromParts?.(value) ?? value
}

export interface SentParts {
  readonly fields: ReadonlyMap<string, string>
  readonly emptied: ReadonlySet<string>
}

/** The members that a form shows in parts. */
export const membersInParts = ({ fields, emptied }: SentParts): ReadonlySet<string> =>
  new Set(
    [...fields.keys(), ...emptied].filter((name) => name.includes('/')).map((name) => name.split('/', 1)[0] ?? ''),
  )

function partAt(schema: JsonSchema, at: string, sent: SentParts): Json | undefined {
  const text = sent.fields.get(at)
  if (schema.type === 'object') return objectAt(schema, at, sent)
  if (schema.type === 'array' && text === undefined) return listAt(schema, at, sent)
  if (schema.type === 'array') return text?.split(/\n|; /).flatMap((each) => each.trim() || [])
  if (text === undefined) return sent.emptied.has(at) && isNullable(schema) ? null : undefined
  const isNumber = [schema.type].flat().some((each) => each === 'integer' || each === 'number')
  if (schema.type === 'boolean') return text === 'true'
  return isNumber && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

const isNullable = ({ type }: JsonSchema): boolean => Array.isArray(type) && type.includes('null')

function objectAt({ properties, additionalProperties }: JsonSchema, at: string, sent: SentParts): Json | undefined {
  const declared = isSchema(properties) ? properties : {}
  const others = isSchema(additionalProperties) ? additionalProperties : undefined
  const members = [...new Set([...Object.keys(declared), ...namesBelow(at, sent)])].flatMap((name) => {
    const part = `${at}/${name}`
    const schema = Object.hasOwn(declared, name) ? declared[name] : others
    // An unknown name is a fault, unless it is about the row.
    if (!isSchema(schema)) return name.startsWith('_') ? [] : [[name, sent.fields.get(part) ?? ''] as const]
    const value = partAt(schema, part, sent)
    return value === undefined ? [] : [[name, value] as const]
  })
  // Parts that can only be null, or are hidden, make no row.
  return members.some(([, value]) => value !== null) ? Object.fromEntries(members) : undefined
}

function listAt({ items }: JsonSchema, at: string, sent: SentParts): Json | undefined {
  if (!isSchema(items)) return undefined
  const rows = namesBelow(at, sent)
    .filter((name) => /^\d{1,4}$/.test(name))
    .map((name) => `${at}/${name}`)
  const moved = inOrder(rows, sent).filter((row) => !sent.fields.has(`${row}/_remove`))
  const values = moved.flatMap((row) => partAt(items, row, sent) ?? [])
  return rows.length === 0 ? undefined : values
}

/** The rows, one of which may change places. */
function inOrder(rows: readonly string[], { fields }: SentParts): readonly string[] {
  const [up, down] = [rows.indexOf(fields.get(UP) ?? ''), rows.indexOf(fields.get(DOWN) ?? '')]
  const first = up > 0 ? up - 1 : down === -1 ? rows.length : down
  return [...rows.slice(0, first), ...rows.slice(first, first + 2).toReversed(), ...rows.slice(first + 2)]
}

export const UP = '_up'
export const DOWN = '_down'

const namesBelow = (at: string, { fields, emptied }: SentParts): readonly string[] => {
  const start = `${at}/`
  const below = [...fields.keys(), ...emptied].filter((name) => name.startsWith(start))
  return [...new Set(below.map((name) => name.slice(start.length).split('/', 1)[0] ?? ''))]
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const one = Array.isArray(schema.anyOf)
    ? schema.anyOf.find((each) => isSchema(each) && each.type !== 'null')
    : undefined
  return isSchema(one) ? one : schema
}

const isSchema = (json: Json | undefined): json is JsonSchema =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
