import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostIn } from '../../src/values/json/lost-members.ts'
import { boundMembers } from '../../src/values/json/parse-json.ts'
import { fc } from '../support/inputs/fast-check.ts'

const object = (count: number, inner = '1', start = 'k'): string =>
  `{${Array.from({ length: count }, (_, n) => `"${start}${n}":${inner}`).join()}}`

const namesIn = (value: object): readonly string[] => Object.keys(value)

test('of an object with very many members the first thousand and one are kept', () => {
  const names = namesIn(JSON.parse(boundMembers(object(90_000))))
  assert.deepEqual(
    names.slice(0, -1),
    Array.from({ length: 1001 }, (_, n) => `k${n}`),
  )
  assert.equal(lostIn(names), 88_999)
})

test('objects lose their own members, wherever they stand', () => {
  const inner = object(1500, '"a,}\\"b"', 'i')
  const [first, second, third] = JSON.parse(boundMembers(`[{"x":${inner}},${object(1200)},{"y":[1,{"z":2}]}]`))
  assert.deepEqual([first.x, second, third].map(namesIn).map(lostIn), [499, 199, 0])
  assert.deepEqual(third, { y: [1, { z: 2 }] })
  const around = JSON.parse(boundMembers(`{"first":${inner},${object(3000).slice(1)}`))
  assert.deepEqual([around, around.first].map(namesIn).map(lostIn), [2000, 499])
})

test('any other text stays as it is', () => {
  const long = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify([value, 'x'.repeat(5000)]))
  fc.assert(fc.property(long, (text) => boundMembers(text) === text))
  for (const text of [object(1000), `"${'x'.repeat(9000)}`, '{'.repeat(9000), `${object(900)}}}]]`, ':'.repeat(9000)]) {
    assert.equal(boundMembers(text), text)
  }
})
