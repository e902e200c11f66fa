import { instantAt } from '../../languages/zones.ts'
import { fault } from '../../values/faults/fault.ts'
import { currencies } from '../../values/kinds/codes.ts'
import type { Kind, KindName, Read } from '../../values/kinds/kind.ts'
import { MOST_DECIMALS } from '../../values/kinds/money.ts'
import { memoize } from '../../values/memoize.ts'
import { isAmbiguous, type WrittenAmount, writtenAmount } from './amount-text.ts'
import { brokenCell } from './broken-cell.ts'
import { type Cell, textOf } from './cell.ts'
import { currenciesOf } from './currency-words.ts'
import { hasTwoDays, writtenDate, writtenInstant } from './date-text.ts'
import { withDigits } from './digits.ts'
import type { ColumnReading, DecimalSign } from './reading.ts'
import { plainWord } from './spoken.ts'
import { timesUnit } from './units.ts'
import { choicesOf, type DeclaredWords, valueWords } from './value-words.ts'

/** Reads a cell that is not empty. */
export type ReadCell = (cell: Cell) => Read<unknown>

/** An amount in a file, and the currencies that its cell names; none if it is a bare number. */
export interface AmountInCell {
  readonly amount: unknown
  readonly currencies: readonly string[]
  /** Both readings of its only mark, if that stands where thousands end: only few currencies have three decimals. */
  readonly doubt?: readonly string[]
}

/** The facts that a reader knows besides the column. */
export interface CellContext {
  /** The words of files for the values. */
  readonly words?: DeclaredWords | undefined
  /** The time zone of times without one; UTC if it is undefined. */
  readonly zone?: string | undefined
}

/** How the cells of a column are read as values of a kind. */
export function cellReader(kind: Kind<unknown>, reading: ColumnReading | null, context: CellContext = {}): ReadCell {
  const read = kindReaders[kind.name](kind, reading ?? {}, context)
  return (cell) => {
    const broken = brokenCell(cell)
    return broken === undefined ? read(cell) : { fault: broken }
  }
}

type KindReader = (kind: Kind<unknown>, reading: ColumnReading, context: CellContext) => ReadCell

const asWritten: KindReader = (kind) => (cell) => kind.readText(textOf(cell).trim())

const asWord: KindReader = (kind, reading, { words }) => wordReader(kind, reading, words)

const kindReaders: Readonly<Record<KindName, KindReader>> = {
  text: (kind) => (cell) => {
    const whole = withDigits(textOf(cell))
    return 'fault' in whole ? whole : kind.readText(whole.value)
  },
  amount: (kind, reading) => (isMoney(kind) ? amountReader(kind, reading) : numberReader(kind, reading)),
  date: (kind, reading) => dateReader(kind, reading),
  instant: (kind, reading, { zone }) => instantReader(kind, reading, zone),
  choice: asWord,
  boolean: asWord,
  choices: (kind) => setReader(kind),
  integer: (kind, reading) => integerReader(kind, reading),
  uuid: asWritten,
  json: asWritten,
}

/** Whether its values have a currency. */
export const isMoney = ({ name, decimals }: Kind<unknown>): boolean => name === 'amount' && decimals === undefined

/** The value of an amount is an `AmountInCell`: its currency is another field. */
function amountReader(kind: Kind<unknown>, { decimal, unit = 1 }: ColumnReading): ReadCell {
  const read = (number: string, named: readonly string[], doubt?: readonly string[]): Read<AmountInCell> => {
    const whole = unit === 1 ? number : timesUnit(number, unit)
    if ((whole.split('.')[1] ?? '').length > MOST_DECIMALS) return tooFine
    const found = kind.readText(whole)
    return 'fault' in found ? found : { value: { amount: found.value, currencies: named, ...(doubt && { doubt }) } }
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
    const isDoubtful = isAmbiguous(written)
    if (decimal === undefined && isDoubtful) return twoReadings(written.as)
    const number = decimal === undefined ? (written.as['.'] ?? written.as[',']) : written.as[decimal]
    if (number === undefined) return fault('other-decimal', { decimal: decimal ?? '' })
    return read(number, named, isDoubtful && hasThousandsMark(written, decimal) ? Object.values(written.as) : undefined)
  }
}

/** Whether the only mark is read as the decimal one, though it may end the thousands: the other number is larger. */
const hasThousandsMark = ({ as }: WrittenAmount, decimal: DecimalSign | undefined): boolean =>
  decimal !== undefined && Number(as[decimal]) < Number(as[decimal === ',' ? '.' : ','])

/** A number that is no money, of either sign; a percent sign is as good as none. */
function numberReader(kind: Kind<unknown>, { decimal, unit = 1 }: ColumnReading): ReadCell {
  const scaled = (number: string): Read<unknown> => kind.readText(unit === 1 ? number : timesUnit(number, unit))
  return (cell) => {
    if (typeof cell !== 'string') return isNumber(cell) ? scaled(withoutPercent(cell.text)) : kind.readText(cell.text)
    const written = writtenAmount(withoutPercent(cell))
    // `-0.000001` and the like are as the service writes them, and words are no part of a number.
    if (written === undefined || written.words.length > 0) return kind.readText(cell.trim())
    const isDoubtful = isAmbiguous(written)
    if (decimal === undefined && isDoubtful) return twoReadings(written.as)
    const number = decimal === undefined ? (written.as['.'] ?? written.as[',']) : written.as[decimal]
    if (number === undefined) return fault('other-decimal', { decimal: decimal ?? '' })
    if (isDoubtful && hasThousandsMark(written, decimal) && (kind.decimals ?? 0) < 3) return twoReadings(written.as)
    return scaled(written.isNegative ? `-${number}` : number)
  }
}

function integerReader(kind: Kind<unknown>, { unit = 1 }: ColumnReading): ReadCell {
  return (cell) => {
    const text = withoutPercent(textOf(cell).trim())
    return kind.readText(unit === 1 || !/^-?\d+(?:\.\d+)?$/.test(text) ? text : timesUnit(text, unit))
  }
}

const isNumber = ({ type }: Exclude<Cell, string>): boolean => type === 'number' || type === 'percent'

const withoutPercent = (text: string): string => text.replace(/\s?%\s*$/, '')

/** Each value of a set by its words. */
function setReader(kind: Kind<unknown>): ReadCell {
  const meant = meantBy(kind)
  return (cell) => kind.readText(textOf(cell).split(';').map(meant).join(';'))
}

/** The value that a word means. A value itself comes first: two may differ only in capitals or punctuation. */
function meantBy(kind: Kind<unknown>, declared?: DeclaredWords): (word: string) => string {
  const words = valueWords(kind, declared)
  const values = new Set(choicesOf(kind))
  return (word) => (values.has(word.trim()) ? word.trim() : (words?.get(plainWord(word) || word.trim()) ?? word.trim()))
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

/** A time without a zone is that of the reader's clock. */
function instantReader(kind: Kind<unknown>, { dates }: ColumnReading, zone: string | undefined): ReadCell {
  const local = (clock: string): Read<unknown> => kind.readText(instantAt(clock, zone) ?? clock)
  return (cell) => {
    if (typeof cell !== 'string' && cell.type === 'date') return local(`${cell.text}T00:00:00`)
    if (typeof cell !== 'string' && cell.type === 'instant') return local(cell.text.replace(/Z$/, ''))
    const text = textOf(cell).trim()
    const read = kind.readText(text)
    if ('value' in read) return read
    const written = writtenInstant(text)
    if (written === undefined) return read
    const { date, time, offset } = written
    if (dates === undefined && hasTwoDays(date)) return twoReadings(date)
    const day = dates === undefined ? (date.dmy ?? date.mdy) : date[dates]
    if (day === undefined) return fault('other-dates', { wants: dates ?? '' })
    return offset === undefined ? local(`${day}T${time}`) : kind.readText(`${day}T${time}${offset}`)
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
