import { fault } from '../../values/faults/fault.ts'
import { currencies } from '../../values/kinds/codes.ts'
import type { Kind, Read } from '../../values/kinds/kind.ts'
import { MOST_DECIMALS } from '../../values/kinds/money.ts'
import { memoize } from '../../values/memoize.ts'
import { isAmbiguous, writtenAmount } from './amount-text.ts'
import { type Cell, textOf } from './cell.ts'
import { currenciesOf } from './currency-words.ts'
import { hasTwoDays, writtenDate, writtenInstant } from './date-text.ts'
import type { ColumnReading } from './reading.ts'
import { plainWord } from './spoken.ts'
import { choicesOf, type DeclaredWords, valueWords } from './value-words.ts'

/** Reads a cell that is not empty. */
export type ReadCell = (cell: Cell) => Read<unknown>

/** An amount in a file, and the currencies that its cell names; none if it is a bare number. */
export interface AmountInCell {
  readonly amount: unknown
  readonly currencies: readonly string[]
}

/** How the cells of a column are read as values of a kind. */
export function cellReader(kind: Kind<unknown>, reading: ColumnReading | null, declared?: DeclaredWords): ReadCell {
  switch (kind.name) {
    case 'text':
      return (cell) => kind.readText(textOf(cell))
    case 'amount':
      return isMoney(kind) ? amountReader(kind, reading ?? {}) : numberReader(kind, reading ?? {})
    case 'date':
      return dateReader(kind, reading ?? {})
    case 'instant':
      return (cell) => {
        // A spreadsheet has midnight as a day.
        if (typeof cell !== 'string' && cell.type === 'date') return kind.readText(`${cell.text}T00:00:00Z`)
        const read = kind.readText(textOf(cell).trim())
        return 'fault' in read ? kind.readText(writtenInstant(textOf(cell))) : read
      }
    case 'choice':
    case 'boolean':
      return wordReader(kind, reading ?? {}, declared)
    case 'choices':
      return setReader(kind)
    case 'integer':
    case 'uuid':
    case 'json':
      return (cell) => kind.readText(textOf(cell).trim())
  }
}

/** Whether its values have a currency. */
export const isMoney = ({ name, decimals }: Kind<unknown>): boolean => name === 'amount' && decimals === undefined

/** The value of an amount is an `AmountInCell`: its currency is another field. */
function amountReader(kind: Kind<unknown>, { decimal }: ColumnReading): ReadCell {
  const read = (number: string, named: readonly string[]): Read<AmountInCell> => {
    if ((number.split('.')[1] ?? '').length > MOST_DECIMALS) return tooFine
    const found = kind.readText(number)
    return 'fault' in found ? found : { value: { amount: found.value, currencies: named } }
  }
  const [notAnAmount, tooFine] = [
    fault('malformed', { wants: 'amount' }),
    fault('too-many-decimals', { max: MOST_DECIMALS, wants: 'money' }),
  ]
  return (cell) => {
    if (typeof cell !== 'string') return cell.type === 'number' ? read(cell.text, []) : notAnAmount
    const written = writtenAmount(cell)
    if (written === undefined) return notAnAmount
    const named = namedCurrencies(written.words)
    if (named === undefined) return notAnAmount
    if (written.isNegative) return fault('negative')
    if (decimal === undefined && isAmbiguous(written)) return twoReadings(written.as)
    const number = decimal === undefined ? (written.as['.'] ?? written.as[',']) : written.as[decimal]
    return number === undefined ? fault('other-decimal', { decimal: decimal ?? '' }) : read(number, named)
  }
}

/** A number that is no money, of either sign. */
function numberReader(kind: Kind<unknown>, { decimal }: ColumnReading): ReadCell {
  return (cell) => {
    const written = typeof cell === 'string' ? writtenAmount(cell) : undefined
    // `-0.000001` and the like are as the service writes them, and words are no part of a number.
    if (written === undefined || written.words.length > 0) return kind.readText(textOf(cell).trim())
    if (decimal === undefined && isAmbiguous(written)) return twoReadings(written.as)
    const number = decimal === undefined ? (written.as['.'] ?? written.as[',']) : written.as[decimal]
    if (number === undefined) return fault('other-decimal', { decimal: decimal ?? '' })
    return kind.readText(written.isNegative ? `-${number}` : number)
  }
}

/** Each value of a set by its words. */
function setReader(kind: Kind<unknown>): ReadCell {
  const meant = meantBy(kind)
  return (cell) => kind.readText(textOf(cell).split(';').map(meant).join(';'))
}

/** The value that a word means. A value itself comes first: two may differ only in capitals or punctuation. */
function meantBy(kind: Kind<unknown>, declared?: DeclaredWords): (word: string) => string {
  const words = valueWords(kind, declared)
  const values = new Set(choicesOf(kind))
  return (word) => (values.has(word.trim()) ? word.trim() : (words?.get(plainWord(word)) ?? word.trim()))
}

/** The currencies that all the words may mean; undefined if a word is no currency, empty if there are none. */
export function namedCurrencies(words: readonly string[]): readonly string[] | undefined {
  let found: readonly string[] | undefined
  for (const word of words) {
    const meant = currenciesOf(word)
    found = found === undefined ? meant : found.filter((code) => meant.includes(code))
    if (found.length === 0) return undefined
  }
  return found ?? []
}

function dateReader(kind: Kind<unknown>, { dates }: ColumnReading): ReadCell {
  return (cell) => {
    if (typeof cell !== 'string') return kind.readText(cell.text.slice(0, 'yyyy-mm-dd'.length))
    const written = writtenDate(cell)
    if (written === undefined) return kind.readText(cell.trim())
    if (dates === undefined && hasTwoDays(written)) return twoReadings(written)
    const date = dates === undefined ? (written.dmy ?? written.mdy) : written[dates]
    return date === undefined ? fault('other-dates', { wants: dates ?? '' }) : kind.readText(date)
  }
}

const twoReadings = (readings: { readonly [way: string]: string }): Read<never> =>
  fault('two-readings', { readings: Object.values(readings) })

function wordReader(kind: Kind<unknown>, { currency }: ColumnReading, declared?: DeclaredWords): ReadCell {
  if (choicesOf(kind) === currencies) return (cell) => readCurrency(kind, textOf(cell).trim(), currency)
  const meant = meantBy(kind, declared)
  const read = memoize((cell: string) => kind.readText(meant(cell)), 1024)
  return (cell) => read(textOf(cell))
}

function readCurrency(kind: Kind<unknown>, text: string, currency: string | undefined): Read<unknown> {
  const meant = currenciesOf(text)
  if (meant.length <= 1) return kind.readText(meant[0] ?? text)
  return currency !== undefined && meant.includes(currency)
    ? { value: currency }
    : fault('two-readings', { readings: meant })
}
