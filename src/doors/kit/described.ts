import { writeWords } from '../../http/contract/write.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import type { JsonSchema, Kind } from '../../values/kinds/kind.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { text } from '../../values/kinds/text.ts'
import { type Member, optional, required } from '../../values/members.ts'

// Shared by the descriptions of doors: CSDL, GraphQL types, schemas of tools.

/** The schema of a kind's values; `nullable` is separate. */
export function ownSchema({ schema, nullable }: Kind<unknown>): JsonSchema {
  const [own] = nullable && Array.isArray(schema.anyOf) ? schema.anyOf : [schema]
  return own as JsonSchema
}

/**
 * The values of a choice, if they are few enough to be listed: all currencies or countries would be most of a model.
 */
export function choicesOf(kind: Kind<unknown>, most: number): readonly string[] | undefined {
  const { enum: values } = ownSchema(kind)
  return Array.isArray(values) && values.length <= most ? values.map(String) : undefined
}

/** The arguments of an operation for protocols with named arguments. */
export interface Argument extends Member<unknown> {
  readonly name: string
}

/** The id of the thing, unless it is made, and the parameters. */
export const argumentsOf = ({ on, to, params }: Operation): readonly Argument[] => [
  ...(to === 'nothing' ? [] : [{ name: 'id', ...required(idKind(on)) }]),
  ...Object.entries(params).map(([name, member]) => ({ name, ...member })),
]

export const idKind = ({ kinds }: Resource): Kind<unknown> => kinds.id as Kind<unknown>

const words: { readonly [word in (typeof writeWords)[number]]: Kind<unknown> } = {
  commandId: text({ min: 0, max: 128 }),
  // The largest that every protocol has a type for.
  expectedRevision: integer({ min: 1, max: 2 ** 31 - 1 }),
  dryRun: boolean,
}

/** The words that speak of the write itself. */
export const wordArguments: readonly Argument[] = writeWords.map((name) => ({ name, ...optional(words[name]) }))
