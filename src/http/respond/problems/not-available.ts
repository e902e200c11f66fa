import type { Representation } from '../../../representations/representation.ts'
import type { Problem } from './problem.ts'

/** For a representation that is not among those of an answer. */
export const notAvailable = (available: readonly Representation[]): Problem => ({
  code: 'not-acceptable',
  detail: `This is available as ${available.map(({ mediaTypes }) => mediaTypes[0]).join(', ')}.`,
  extra: { available: available.map(({ name, mediaTypes: [mediaType] }) => ({ format: name, mediaType })) },
})
