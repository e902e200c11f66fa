import { bySchema } from './by-schema.ts'
import { imported } from './customer/imported.ts'
import type { Happening } from './event.ts'
import type { Schema } from './schema.ts'

/** Everything that can be recorded as an event. */
export const happenings = bySchema((schema: Schema): readonly Happening[] => [...schema.operations, imported(schema)])

export const eventTypes = bySchema((schema: Schema): readonly string[] =>
  happenings(schema).map(({ words }) => words.event),
)
