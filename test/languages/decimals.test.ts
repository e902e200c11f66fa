import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { decimalIn, readDecimal } from '../../src/languages/decimals.ts'

suite('a decimal in the region of its reader', () => {
  const readings: readonly (readonly [region: string, text: string, value: string])[] = [
    ['de-DE', '1.500', '1500'],
    ['de-DE', '12.500,50', '12500.50'],
    ['de-DE', '12500,50', '12500.50'],
    ['de-DE', ' 1 500,5 ', '1500.5'],
    ['de-CH', '1’500.50', '1500.50'],
    ['de-CH', "1'500.50", '1500.50'],
    ['fr-FR', '1\u202f500,5', '1500.5'],
    ['en-GB', '1,234,567.5', '1234567.5'],
    ['en-GB', '1.500', '1.500'],
    ['en-IN', '12,34,567.50', '1234567.50'],
    ['es-ES', '-5', '-5'],
  ]
  for (const [region, text, value] of readings)
    test(`${text} in ${region}`, () => assert.deepEqual(readDecimal(text, region), { value }))

  const unclear: readonly (readonly [region: string, text: string, ...meanings: readonly string[]])[] = [
    ['de-DE', '12.50', '12,50', '1.250'],
    ['de-DE', '1,234.50', '1.234,50'],
    ['en-GB', '12500,50', '12,500.50', '1,250,050'],
    ['en-GB', '12.500,50', '12,500.50'],
    ['en-GB', '12,34,567'],
    ['de-DE', '1..5'],
    ['de-DE', 'viel'],
    ['de-DE', ''],
  ]
  for (const [region, text, ...meanings] of unclear)
    test(`${text || 'nothing'} is not guessed in ${region}`, () =>
      assert.deepEqual(readDecimal(text, region), { meanings }))

  test('is written with its own decimals, and read as it is written', () => {
    for (const region of ['de-DE', 'de-AT', 'de-CH', 'en-GB', 'en-IN', 'en-US', 'es-ES', 'es-MX', 'fr-CH', 'fr-FR'])
      for (const value of ['0', '5', '1500', '12.50', '1234.5', '1234567.125', '1000000000000'])
        assert.deepEqual(readDecimal(decimalIn(value, region), region), { value }, `${value} in ${region}`)
  })
})
