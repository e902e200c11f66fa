import { type ConstValueNode, GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { isExactNumber } from '../../../values/json/exact-numbers.ts'
import { parseJson } from '../../../values/json/parse-json.ts'

/** A number with all its decimals, as in JSON; one that a double cannot hold keeps its own text. */
export const Decimal = new GraphQLScalarType({
  name: 'Decimal',
  description: 'An exact decimal, written as a JSON number such as 99.5.',
  coerceOutputValue: (value) => value,
  coerceInputValue: (value) =>
    typeof value === 'number' || isExactNumber(value) ? value : wrong('Decimal', 'a number', value),
  coerceInputLiteral: (node) =>
    node.kind === Kind.INT || node.kind === Kind.FLOAT
      ? parseJson(node.value)
      : wrong('Decimal', 'a number', 'value' in node ? node.value : node.kind),
})

/** Texts of one format; they are checked where they are used, as everywhere. */
const textScalar = (name: string, description: string, specifiedByURL: string): GraphQLScalarType =>
  new GraphQLScalarType({
    name,
    description,
    specifiedByURL,
    coerceOutputValue: (value) => value,
    coerceInputValue: (value) => (typeof value === 'string' ? value : wrong(name, 'a text', value)),
    coerceInputLiteral: (node) =>
      node.kind === Kind.STRING ? node.value : wrong(name, 'a text', 'value' in node ? node.value : node.kind),
  })

export const DateOnly = textScalar(
  'Date',
  'A calendar date such as 2026-11-30.',
  'https://scalars.graphql.org/andimarek/local-date',
)

export const DateTime = textScalar(
  'DateTime',
  'An instant such as 2026-11-30T12:00:00.000Z.',
  'https://scalars.graphql.org/andimarek/date-time',
)

/** A value with parts, as in JSON. */
export const Structure = new GraphQLScalarType({
  name: 'JSON',
  description: 'A list or an object, as in JSON.',
  coerceOutputValue: (value) => value,
  coerceInputValue: (value) => value,
  coerceInputLiteral: (node) => jsonFrom(node),
})

/** GraphQL has no literals without variables here: a text is a text, and names of members are names. */
function jsonFrom(node: ConstValueNode): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null
    case Kind.INT:
    case Kind.FLOAT:
      return parseJson(node.value)
    case Kind.LIST:
      return node.values.map(jsonFrom)
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, jsonFrom(value)]))
    default:
      return node.value
  }
}

function wrong(name: string, expected: string, value: unknown): never {
  throw new GraphQLError(`${name} must be ${expected}, not ${JSON.stringify(value)}.`)
}
