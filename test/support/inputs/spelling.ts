import fc from 'fast-check'
import { type Collection, fieldOf } from '../../../src/queries/collection.ts'
import type { ComparisonName } from '../../../src/queries/dialects/dialect.ts'
import { dialects } from '../../../src/queries/dialects/dialects.ts'
import type { Comparison } from './naive-evaluator.ts'

export interface Asked extends Comparison {
  readonly operator: ComparisonName
  /** The values as a client writes them. */
  readonly texts: readonly string[]
}

/** Some way in which a client may write a comparison, in any dialect: one or more parameters. */
export function spelled(collection: Collection, { field, operator, texts }: Asked): fc.Arbitrary<string> {
  const parameters = operator === 'in' ? [texts] : texts.map((text) => [text])
  const written = parameters.map((each) => {
    const comparison = { field: fieldOf(collection, field), operator, texts: each }
    return fc.constantFrom(...dialects.flatMap((dialect) => dialect.spell(collection, comparison)))
  })
  return fc.tuple(...written).map((all) => all.join('&'))
}
