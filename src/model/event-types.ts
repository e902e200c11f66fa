import { imported } from './customer/imported.ts'
import type { Happening } from './event.ts'
import { operations } from './resources.ts'

/** Everything that can be recorded as an event. */
export const happenings: readonly Happening[] = [...operations, imported]

export const eventTypes: readonly string[] = happenings.map(({ words }) => words.event)
