import type { Kind } from '../../values/kinds/kind.ts'
import { choice } from '../../values/kinds/text.ts'
import { bySchema } from '../declaration/by-schema.ts'
import type { Happening } from '../declaration/event.ts'
import type { Schema } from '../declaration/schema.ts'
import { imported } from './customer/imported.ts'
import { undoings } from './imports/undone.ts'

/** Everything that can be recorded as an event. */
export const happenings = bySchema((schema: Schema): readonly Happening[] => [
  ...schema.operations,
  imported(schema),
  ...undoings(schema),
])

export const eventTypes = bySchema((schema: Schema): readonly string[] => [
  ...new Set(happenings(schema).map(({ words }) => words.event)),
])

/** The type of an event; `deal.*` is every type of a resource, as in a webhook. */
export const eventTypeKind = bySchema((schema: Schema): Kind<string> => {
  const types = eventTypes(schema)
  const groups = schema.resources.map(
    ({ name }) => [`${name}.*`, types.filter((each) => each.startsWith(`${name}.`))] as const,
  )
  return { ...choice(types), groups: new Map(groups) }
})
