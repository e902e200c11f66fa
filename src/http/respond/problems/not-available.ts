import type { Representation } from '../../../representations/representation.ts'
import type { Problem } from '../../contract/problems/problem.ts'

/** For a representation that is not among those of an answer. */
export function notAvailable(available: readonly Representation[]): Problem {
  const types = available.map(({ mediaTypes }) => mediaTypes[0]).join(', ')
  return {
    code: 'not-acceptable',
    detail: { text: 'This is available as {types}.', with: { types } },
    extra: { available: available.map(({ name, mediaTypes: [mediaType] }) => ({ format: name, mediaType })) },
  }
}
