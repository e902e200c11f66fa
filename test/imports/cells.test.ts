import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { writtenAmount } from '../../src/imports/cells/amount-text.ts'
import { cellReader } from '../../src/imports/cells/cell-reader.ts'
import { currenciesOf } from '../../src/imports/cells/currency-words.ts'
import { writtenDate, writtenInstant } from '../../src/imports/cells/date-text.ts'
import { timesUnit, unitIn } from '../../src/imports/cells/units.ts'
import { valueWords } from '../../src/imports/cells/value-words.ts'
import { numberCell } from '../../src/imports/sheet/cell-types.ts'
import { codeName } from '../../src/languages/formats.ts'
import { readerWith } from '../../src/languages/reader.ts'
import { countries, country } from '../../src/values/kinds/codes.ts'
import { nullable } from '../../src/values/kinds/kind.ts'
import { amount } from '../../src/values/kinds/money.ts'
import { boolean } from '../../src/values/kinds/number.ts'
import { date, instant } from '../../src/values/kinds/time.ts'
import { deal } from '../support/schema.ts'

suite('an amount is read', () => {
  const both = (number: string) => ({ ',': number, '.': number })

  test('with every sign for thousands and decimals, and with both if both are possible', () => {
    const read: readonly (readonly [cell: string, as: object | undefined])[] = [
      ['1.234,50', { ',': '1234.5' }],
      ['1,234.50', { '.': '1234.5' }],
      ['1.500', { ',': '1500', '.': '1.5' }],
      ['12,500', { ',': '12.5', '.': '12500' }],
      ['0.500', { '.': '0.5' }],
      ['1.234.567', { ',': '1234567' }],
      ['1500', both('1500')],
      ['007', both('7')],
      ["1'234.50", { '.': '1234.5' }],
      ['1’234', both('1234')],
      ['1 234,50', { ',': '1234.5' }],
      ['1\u202f234\u00a0€', both('1234')],
      ['1,23,456.00', { '.': '123456' }],
      ['250,-', { ',': '250' }],
      ['CHF 250.–', { '.': '250' }],
      ['1.23.4', undefined],
      ['1,2345,678', undefined],
      ['1 2 3', undefined],
      ['', undefined],
      ['none', undefined],
      ['5-3', undefined],
    ]
    for (const [cell, as] of read) assert.deepEqual(writtenAmount(cell)?.as, as, cell)
  })

  test('with its currency, and never if it is less than nothing or something else', () => {
    const read = cellReader(amount(), { decimal: '.' })
    const value = (cell: string) => {
      const found = read(cell)
      return 'value' in found ? found.value : found.fault.code
    }
    assert.deepEqual(value('$5,000'), { amount: 5_000_000, currencies: currenciesOf('$') })
    assert.deepEqual(value('US$ 5'), { amount: 5000, currencies: ['USD'] })
    assert.deepEqual(value('900 EUR'), { amount: 900_000, currencies: ['EUR'] })
    assert.deepEqual(value('EUR 5.00 €'), { amount: 5000, currencies: ['EUR'] })
    for (const cell of ['-5', '$-5', '-$5', '(1,234.50)', '5-', '−5']) assert.equal(value(cell), 'negative', cell)
    for (const cell of ['ca. 500', '5k', '5 %', '12 pieces', '$5 EUR']) assert.equal(value(cell), 'malformed', cell)
    assert.equal(value('1.234,50'), 'other-decimal')
    assert.equal(value('1.2345'), 'too-many-decimals')
    assert.deepEqual(cellReader(amount(), null)('1.500'), {
      fault: { code: 'two-readings', with: { readings: ['1500', '1.5'] } },
    })
  })

  test('in the currencies that a symbol, code or name may mean', () => {
    for (const [word, code] of Object.entries({ '€': 'EUR', eur: 'EUR', Euros: 'EUR', 'US-Dollar': 'USD', $US: 'USD' }))
      assert.deepEqual(currenciesOf(word), [code], word)
    assert.deepEqual(currenciesOf('zł'), ['PLN'])
    assert.deepEqual(currenciesOf('¥'), ['JPY', 'CNY'])
    assert.equal(currenciesOf('$')[0], 'USD')
    assert.deepEqual([currenciesOf('k'), currenciesOf('Stück'), currenciesOf('')], [[], [], []])
  })
})

suite('a date is read', () => {
  test('in numbers, in the orders in which it exists', () => {
    const read: readonly (readonly [cell: string, as: object | undefined])[] = [
      ['15.03.27', { dmy: '2027-03-15' }],
      ['12/31/2026', { mdy: '2026-12-31' }],
      ['05/03/2027', { dmy: '2027-03-05', mdy: '2027-05-03' }],
      ['3. 4. 2027', { dmy: '2027-04-03', mdy: '2027-03-04' }],
      ['01-01-70', { dmy: '1970-01-01', mdy: '1970-01-01' }],
      ['31.12.69', { dmy: '2069-12-31' }],
      ['29.02.2028', { dmy: '2028-02-29' }],
      ['29.02.2027', undefined],
      ['31.02.2027', undefined],
      ['1.2', undefined],
      ['1 220', undefined],
      ['20261231', undefined],
      ['1/2.2027', undefined],
    ]
    for (const [cell, as] of read) assert.deepEqual(writtenDate(cell), as, cell)
  })

  test('with the names of months in every language, a day of the week and a time', () => {
    for (const cell of [
      ...['2026-12-31', '2026/12/31', 'Dec 31, 2026', '31 Dec 2026', 'December 31st, 2026', '31-Dec-26', "31 dec '26"],
      ...[
        '31. Dezember 2026',
        '31. Dez. 2026',
        '31 décembre 2026',
        '31 déc. 2026',
        '31 de diciembre de 2026',
        '31 dic 2026',
      ],
      ...['Thursday, December 31, 2026', 'Do., 31. Dezember 2026', '2026-12-31T14:30:00Z', '31 Dec 2026, 2:30 PM'],
      ...['31. Dezember 2026 um 14:30 Uhr', '2026-12-31 14:30:00.123 +0100'],
    ])
      assert.deepEqual(writtenDate(cell), { dmy: '2026-12-31', mdy: '2026-12-31' }, cell)
    assert.deepEqual(writtenDate('5. Mrz 2027')?.dmy, '2027-03-05')
    assert.deepEqual(writtenDate('Mi., 31.12.2026 14:30'), { dmy: '2026-12-31' })
    for (const cell of ['31 Foo 2026', 'May 2027', 'jui 5, 2027', 'Max 31, 2026 x'])
      assert.equal(writtenDate(cell), undefined)
  })

  test('as its column says, or not at all', () => {
    const code = (cell: string, dates?: 'dmy' | 'mdy') => {
      const found = cellReader(date, dates === undefined ? null : { dates })(cell)
      return 'value' in found ? found.value : found.fault.code
    }
    assert.equal(code('05/03/2027', 'dmy'), '2027-03-05')
    assert.equal(code('05/03/2027', 'mdy'), '2027-05-03')
    assert.equal(code('05/03/2027'), 'two-readings')
    assert.equal(code('12/31/2026', 'dmy'), 'other-dates')
    assert.equal(code('soon', 'dmy'), 'malformed')
    const day = { dmy: '2026-11-03', mdy: '2026-11-03' }
    const withOffset = { date: day, time: '10:22:33', offset: '+01:00' }
    assert.deepEqual(writtenInstant('2026-11-03 10:22:33 +0100'), withOffset)
    assert.deepEqual(writtenInstant('2026-11-03 10:22'), { date: day, time: '10:22:00' })
  })
})

suite('an instant of a spreadsheet is read', () => {
  const read = cellReader(instant, null)
  for (const at of ['2027-01-31T00:00:00.000Z', '2027-01-31T10:00:00.123Z', '2027-01-31T23:59:59.999Z'])
    test(`as it was written: ${at}`, () => {
      const days = (Date.parse(at) - Date.UTC(1899, 11, 30)) / 86_400_000
      assert.deepEqual(read(numberCell(String(days), 'day', false)), { value: at })
    })
})

suite('a word is read as the value that it means', () => {
  const read = (field: keyof typeof deal.kinds, cell: string) => {
    const found = cellReader(deal.kinds[field] as never, null, { words: deal.inFiles?.values?.[field] })(cell)
    return 'value' in found ? found.value : found.fault.code
  }

  test('in every language, whatever its case', () => {
    for (const stage of ['proposal', 'Proposal', 'ANGEBOT', ' Angebot ', 'Proposition', 'propuesta'])
      assert.equal(read('stage', stage), 'proposal', stage)
    for (const status of ['completed', 'Won', 'gewonnen', 'Closed won'])
      assert.equal(read('status', status), 'completed')
    for (const status of ['Lost', 'VERLOREN', 'cancelled']) assert.equal(read('status', status), 'cancelled', status)
    assert.equal(read('status', 'processing'), 'not-one-of')
    assert.deepEqual(
      ['Ja', 'oui', 'x', 'nein', 'FALSE'].map((cell) => valueWords(boolean)?.get(cell.toLowerCase())),
      [...['true', 'true', 'true', 'false', 'false']],
    )
  })

  test('for a country by its names and codes', () => {
    const found = (cell: string) => {
      const value = cellReader(nullable(country), null)(cell)
      return 'value' in value ? value.value : value.fault.code
    }
    for (const [cell, code] of Object.entries({
      ...{ de: 'DE', Deutschland: 'DE', GERMANY: 'DE', Allemagne: 'DE', Alemania: 'DE', BRD: 'DE', Österreich: 'AT' },
      ...{
        Oesterreich: 'AT',
        USA: 'US',
        'United States of America': 'US',
        'U.S.A.': 'US',
        UK: 'GB',
        Holland: 'NL',
      },
      ...{ Tschechien: 'CZ', 'Czech Republic': 'CZ', Turkey: 'TR', 'Côte d’Ivoire': 'CI', Atlantis: 'not-one-of' },
    }))
      assert.equal(found(cell), code, cell)
  })

  test('for a country by the name that pages show, in every language and region', () => {
    const read = cellReader(country, null)
    for (const locale of ['en', 'en-CA', 'de', 'de-CH', 'fr', 'fr-CA', 'es', 'es-MX'])
      for (const code of countries) {
        const name = codeName('region', code)(readerWith({ locale }))
        assert.deepEqual(read(name), { value: code }, `${locale}: ${name}`)
      }
  })
})

suite('a heading says a unit', () => {
  const read = (heading: string) => {
    const found = unitIn(heading)
    return found && [found.factors[0], found.currencies[0], found.rest]
  }

  test('by a symbol, a word or a letter, in brackets, last or alone', () => {
    assert.deepEqual(read('T€'), [1000, 'EUR', ''])
    assert.deepEqual(read('VOLUMEN (T€)'), [1000, 'EUR', 'VOLUMEN'])
    assert.deepEqual(read('Betrag TEUR'), [1000, 'EUR', 'Betrag'])
    assert.deepEqual(read('Amount ($k)'), [1000, 'USD', 'Amount'])
    assert.deepEqual(read('Umsatz in k'), [1000, undefined, 'Umsatz'])
    assert.deepEqual(read('Wert Mio. EUR'), [1_000_000, 'EUR', 'Wert'])
    assert.deepEqual(read('Rabatt %'), [1, undefined, 'Rabatt'])
    for (const plain of ['Betrag (EUR)', 'Price in $', 'Team M', 'Amount', 'Betrag MXN', 'Preis €', 'Artikel K'])
      assert.equal(read(plain), undefined, plain)
  })

  test('with which numbers are multiplied exactly', () => {
    assert.equal(timesUnit('25.5', 1000), '25500')
    assert.equal(timesUnit('0.1', 0.01), '0.001')
    assert.equal(timesUnit('-1234.567', 1_000_000), '-1234567000')
  })
})

suite('an only mark before three digits', () => {
  const read = (cell: string, decimal?: ',' | '.') => {
    const found = cellReader(amount(), decimal === undefined ? null : { decimal })(cell)
    return 'value' in found ? found.value : found.fault.code
  }

  test('may end the thousands where it is the decimal one', () => {
    assert.deepEqual(read('5,000', ','), { amount: 5000, currencies: [], doubt: ['5', '5000'] })
    assert.deepEqual(read('5.000', ','), { amount: 5_000_000, currencies: [] })
    assert.deepEqual(read('1.234,500', ','), { amount: 1_234_500, currencies: [] })
    assert.deepEqual(read('0,500', ','), { amount: 500, currencies: [] })
  })
})
