import fc from 'fast-check'
import { type Collection, fieldOf } from '../../../src/queries/collection.ts'
import { spellings } from '../../../src/queries/spellings.ts'
import type { Comparison } from './naive-evaluator.ts'

export interface Asked extends Comparison {
  /** The values as a client writes them. */
  readonly texts: readonly string[]
}

/** Some way in which a client may write a comparison, in any dialect: one or more parameters. */
export function spelled(collection: Collection, { field, operator, texts }: Asked): fc.Arbitrary<string> {
  const parameters = operator === 'in' ? [texts] : texts.map((text) => [text])
  const written = parameters.map((each) =>
    fc.constantFrom(...spellings(collection, { field: fieldOf(collection, field), operator, texts: each })),
  )
  return fc.tuple(...written).map((all) => all.join('&'))
}
