import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../src/demo/random.ts'
import { daysBetween } from '../../src/screens/parts/moment.ts'
import { fromThousandths } from '../../src/screens/parts/money.ts'
import { type ShownTarget, targetParts } from '../../src/screens/reports/target-parts.ts'
import { addDays } from '../../src/values/kinds/time.ts'

const days = { from: '2027-01-10', until: '2027-02-20' }

function target(nth: number, from: string, to: string, amount: number, more: Partial<ShownTarget> = {}): ShownTarget {
  const createdAt = `2026-01-01T00:00:00.${String(nth).padStart(3, '0')}Z`
  return { id: String(nth), user: 'ana', from, to, amount, currency: 'EUR', createdAt, ...more }
}

const partsOf = (...targets: readonly ShownTarget[]) =>
  Object.fromEntries(
    Map.groupBy(targetParts(targets, days), ({ user, currency }) => `${user} ${currency}`)
      .entries()
      .map(([key, parts]) => [key, Number(parts.reduce((sum, { value }) => sum + value, 0n)) / 1000]),
  )

test('a target counts by its days, and is whole if all of them are asked for', () => {
  assert.deepEqual(partsOf(target(1, '2027-01-10', '2027-02-20', 1234.56)), { 'ana EUR': 1234.56 })
  assert.deepEqual(partsOf(target(1, '2027-01-01', '2027-01-19', 1900)), { 'ana EUR': 1000 })
  assert.deepEqual(partsOf(target(1, '2027-02-20', '2028-02-19', 366)), { 'ana EUR': 1 })
  assert.deepEqual(partsOf(target(1, '2027-02-21', '2028-02-19', 365)), { 'ana EUR': 0 })
})

test('a part is told with the whole target that was entered', () => {
  const [part] = targetParts([target(1, '2027-01-01', '2027-01-19', 1900)], days)
  assert.deepEqual([part?.value, part?.whole], [1_000_000n, 1_900_000n])
})

test('a part has the decimals of its currency', () => {
  const third = (currency: string) => target(1, '2027-01-08', '2027-01-10', 100, { currency })
  assert.deepEqual(partsOf(third('EUR'), third('JPY'), third('KWD')), {
    'ana EUR': 33.33,
    'ana JPY': 33,
    'ana KWD': 33.333,
  })
})

test('the shortest target counts on a day, then the one created later; others are counted separately', () => {
  const year = target(1, '2027-01-01', '2027-12-31', 365)
  assert.deepEqual(partsOf(year, target(2, '2027-01-11', '2027-01-12', 1000)), { 'ana EUR': 40 + 1000 })
  const [former, latter] = [target(3, '2027-01-10', '2027-01-11', 10), target(4, '2027-01-10', '2027-01-11', 20)]
  assert.deepEqual(partsOf(former, latter), { 'ana EUR': 20 })
  assert.deepEqual(partsOf(latter, former), { 'ana EUR': 20 })
  assert.deepEqual(partsOf(year, { ...year, user: 'bo' }, { ...year, currency: 'USD' }), {
    'ana EUR': 42,
    'bo EUR': 42,
    'ana USD': 42,
  })
})

test('whatever overlaps, each day counts once: as a count day by day does', () => {
  const random = randomFrom(60)
  for (let round = 0; round < 40; round++) {
    const targets = Array.from({ length: 1 + random(12) }, (_, nth) => {
      const from = addDays('2026-12-20', random(70))
      const length = 1 + random(40)
      // A whole amount for each day, so that no part is rounded.
      return target(nth, from, addDays(from, length - 1), length * (1 + random(9)))
    })
    let sum = 0
    for (let day = days.from; day <= days.until; day = addDays(day, 1)) {
      const [counting] = targets
        .filter(({ from, to }) => from <= day && day <= to)
        .toSorted((one, other) => lengthOf(one) - lengthOf(other) || Number(other.id) - Number(one.id))
      if (counting !== undefined) sum += Number(counting.amount) / lengthOf(counting)
    }
    assert.deepEqual(partsOf(...targets), { 'ana EUR': sum })
  }
})

const lengthOf = ({ from, to }: ShownTarget): number => daysBetween(from, to) + 1

test('of many overlapping targets one counts, however many there are', () => {
  const many = Array.from({ length: 20_000 }, (_, nth) =>
    target(nth, '1900-01-01', addDays('2200-01-01', nth % 500), 1, { amount: fromThousandths(1000n) }),
  )
  const long = { from: '2020-01-01', until: '2030-12-31' }
  const counting = targetParts(many, long).filter(({ value }) => value > 0n)
  // 4,018 of its 109,573 days, in cents.
  assert.deepEqual(counting, [{ user: 'ana', currency: 'EUR', whole: 1000n, value: 40n }])
})
