import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLString,
  Kind as NodeKind,
} from 'graphql'
import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import type { Kind, KindName } from '../../../values/kinds/kind.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { choicesOf } from '../../kit/described.ts'
import { DateOnly, DateTime, Decimal, Structure } from './scalars.ts'

/** The type of a value, in answers and in arguments. */
export function typeOf(kind: Kind<unknown>, schema: Schema) {
  if (kind.refersTo !== undefined) return GraphQLID
  // An enumeration would be another type, or a text, as soon as somebody arranges its values. decisions/0061
  const listed = kind.name === 'choice' && !kind.arranged ? enumsOf(schema).get(valuesOf(kind).join()) : undefined
  return listed ?? plainTypes[kind.name]
}

/** The type of a value in an answer or in a change, where a set is a list. */
export const wholeTypeOf = (name: string, kind: Kind<unknown>, schema: Schema) =>
  kind.name === 'choices' ? listOf(GraphQLString) : fieldTypeOf(name, kind, schema)

/** The same for a field, which may be the key of its own thing or of a related one, or an added field of either. */
export function fieldTypeOf(name: string, kind: Kind<unknown>, schema: Schema): KindType {
  if (kind.titled !== undefined) return addedTypeOf(kind, schema)
  return /(^|\.)id$/.test(name) ? GraphQLID : typeOf(kind, schema)
}

/**
 * An added field may be named like a key, its integers are longer than the 32 bits of an Int, and its choices are
 * arranged.
 */
function addedTypeOf(kind: Kind<unknown>, schema: Schema): KindType {
  if (kind.name === 'choice') return GraphQLString
  return kind.name === 'integer' && kind.refersTo === undefined ? Decimal : typeOf(kind, schema)
}

export type KindType = ReturnType<typeof typeOf>

const plainTypes = {
  choice: GraphQLString,
  text: GraphQLString,
  choices: GraphQLString,
  integer: GraphQLInt,
  amount: Decimal,
  date: DateOnly,
  instant: DateTime,
  boolean: GraphQLBoolean,
  uuid: GraphQLID,
  json: Structure,
} as const satisfies Readonly<Record<KindName, unknown>>

export const needed = <T extends GraphQLNullableType>(type: T): GraphQLNonNull<T> => new GraphQLNonNull(type)

/** A list without nulls. */
export const listOf = <T extends GraphQLNullableType>(type: T) => new GraphQLList(needed(type))

/** The key of an ID; an invalid one stays unchanged, and is refused as unknown. */
export function readId(kind: Kind<unknown>, id: unknown): unknown {
  return kind.name === 'integer' && typeof id === 'string' && /^(0|[1-9]\d{0,15})$/.test(id) ? Number(id) : id
}

/** Codes of currencies and countries are texts. */
const valuesOf = (kind: Kind<unknown>): readonly string[] => choicesOf(kind, 20) ?? []

/** The choices of fields, by their values: parameters share them. */
const enumsOf = bySchema(
  ({ resources }: Schema): ReadonlyMap<string, GraphQLEnumType> =>
    new Map(
      resources.flatMap((resource) =>
        Object.entries<Kind<unknown>>(resource.kinds)
          .filter(([, kind]) => kind.titled === undefined && !kind.arranged)
          .map(([field, kind]) => ({ name: pascalCase(resource.name) + pascalCase(field), values: valuesOf(kind) }))
          .filter(({ values }) => values.length > 0 && values.every(isEnumValue))
          .map(({ name, values }) => [values.join(), choiceType(name, values)] as const),
      ),
    ),
)

/** GraphQL §2.1.9 and §3.9: a choice with any other value is a text. */
const isEnumValue = (value: string): boolean => /^(?!__|(?:true|false|null)$)[A-Za-z_]\w*$/.test(value)

function choiceType(name: string, values: readonly string[]): GraphQLEnumType {
  const made = new GraphQLEnumType({ name, values: Object.fromEntries(values.map((value) => [value, {}])) })
  const read = made.coerceInputLiteral.bind(made)
  // A text is accepted too: variables and all other forms have the value as text.
  made.coerceInputLiteral = (node, hide) =>
    read(node.kind === NodeKind.STRING ? { kind: NodeKind.ENUM, value: node.value } : node, hide)
  return made
}
