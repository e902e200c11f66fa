import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReserved } from '../../src/model/nouns/field/reserved-names.ts'
import { comparisonNames } from '../../src/queries/expressions/comparison.ts'
import { dateParts } from '../../src/queries/members/groups.ts'
import { operators } from '../../src/queries/operators.ts'

test('no field has the name of an operator, a measure or a part of a date, in any case', () => {
  const words = [...Object.keys(operators), ...comparisonNames, ...dateParts, 'count', 'sum', 'avg', 'min', 'max']
  for (const word of words) assert.ok(isReserved(word) && isReserved(word.toUpperCase()), word)
  for (const name of ['budget', 'renewalDate', 'minimum', 'yearOfBirth']) assert.ok(!isReserved(name), name)
})
