import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { anybody } from '../../src/languages/reader.ts'
import { reportedSum, reportingAt, type ShownRate } from '../../src/screens/reporting/reporting.ts'
import { sumMarkup } from '../../src/screens/reporting/view.ts'

const rate = (currency: string, perUnit: number, since = '2026-01-01', createdAt = since): ShownRate => ({
  id: `${currency} ${since} ${createdAt}`,
  currency,
  perUnit,
  since,
  createdAt,
})
const on = '2026-11-15'
const rates = [rate('USD', 1.25), rate('JPY', 160), rate('KWD', 0.33333333)]
const inEuros = reportingAt(rates, { base: 'EUR', on })

suite('sums in a reporting currency', () => {
  test('are in the currency of the service, or in one with a rate that the reader chose', () => {
    assert.equal(inEuros.currency, 'EUR')
    assert.equal(reportingAt(rates, { base: 'EUR', chosen: 'JPY', on }).currency, 'JPY')
    assert.equal(reportingAt(rates, { base: 'EUR', chosen: 'CHF', on }).currency, 'EUR')
    assert.deepEqual(inEuros.choices, ['EUR', 'JPY', 'KWD', 'USD'])
  })

  test('are converted from any currency to any other, by way of the one that the rates are per', () => {
    assert.equal(inEuros.convert(100_000n, 'USD'), 80_000n)
    const inDollars = reportingAt(rates, { base: 'EUR', chosen: 'USD', on })
    assert.equal(inDollars.convert(80_000n, 'EUR'), 100_000n)
    assert.equal(inDollars.convert(160_000n, 'JPY'), 1_250n)
    assert.equal(inDollars.convert(1_005n, 'USD'), 1_005n)
  })

  test('are exact beyond what doubles hold, and rounded half to even to the decimals of the currency', () => {
    assert.equal(inEuros.convert(12_500_000_000_000_000_000_000n, 'USD'), 10_000_000_000_000_000_000_000n)
    const halves = reportingAt([rate('USD', 2)], { base: 'EUR', on })
    assert.equal(halves.convert(10n, 'USD'), 0n)
    assert.equal(halves.convert(30n, 'USD'), 20n)
    assert.equal(halves.convert(50n, 'USD'), 20n)
    assert.equal(reportingAt(rates, { base: 'EUR', chosen: 'JPY', on }).convert(10n, 'EUR'), 2_000n)
  })

  test('use the rate in force: the latest that has begun, of one day the later made', () => {
    const changing = [
      rate('USD', 4, '2026-11-16'),
      rate('USD', 2, '2026-11-10', '2026-11-12'),
      rate('USD', 3, '2026-11-10', '2026-11-11'),
      rate('USD', 1, '2026-01-01'),
    ]
    const at = (day: string) => reportingAt(changing, { base: 'EUR', on: day }).convert(12_000n, 'USD')
    assert.deepEqual(['2025-12-31', '2026-01-01', on, '2026-11-16'].map(at), [undefined, 12_000n, 6_000n, 3_000n])
  })

  test('take one of the base as one, whatever a rate says of it', () => {
    const odd = reportingAt([rate('EUR', 7), rate('USD', 2)], { base: 'EUR', on })
    assert.equal(odd.convert(1_000n, 'EUR'), 1_000n)
    assert.equal(odd.convert(1_000n, 'USD'), 500n)
  })

  test('leave amounts without a rate apart, each in its own currency', () => {
    const sum = reportedSum(
      [
        { currency: 'SEK', value: 7_000n },
        { currency: 'USD', value: 1_250n },
        { currency: 'CHF', value: 5_000n },
        { currency: 'EUR', value: 2_000n },
        { currency: 'CHF', value: 1_000n },
      ],
      inEuros,
    )
    assert.deepEqual(sum, {
      value: 3_000n,
      apart: [
        { currency: 'CHF', value: 6_000n },
        { currency: 'SEK', value: 7_000n },
      ],
    })
    const text = sumMarkup(sum, inEuros)
      .for(anybody)
      .replace(/<[^>]+>/g, '')
    assert.equal(text, '3 EUR + 6 CHF + 7 SEK')
    const large = sumMarkup({ value: 12_345_678_900n, apart: [] }, inEuros)
      .for(anybody)
      .replace(/<[^>]+>/g, '')
    assert.equal(large, '12,345,679 EUR')
  })
})
