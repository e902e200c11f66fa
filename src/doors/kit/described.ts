import type { JsonSchema, Kind } from '../../values/kinds/kind.ts'

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
