import { currenciesOf } from './currency-words.ts'

/** The unit that a heading names for its numbers: the factors that it may mean, the likeliest first. */
export interface HeadingUnit {
  readonly factors: readonly number[]
  /** The currencies that stand next to it, as in `T€`. */
  readonly currencies: readonly string[]
  /** The heading without it. */
  readonly rest: string
}

const THOUSAND = [1000, 1]
const MILLION = [1_000_000, 1]
const BILLION = [1_000_000_000, 1]
const PERCENT = [1, 0.01]

const words: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^(?:k|t|tsd|tausend|thousands?|milliers?|miles|mil|'?000s?|1\.?000)$/i, THOUSAND],
  [/^(?:m|mm|mio|mill|millionen|millions?|millones)$/i, MILLION],
  [/^(?:mrd|milliarden|bn|billions?|milliards?)$/i, BILLION],
  [/^(?:%|percent|prozent|pourcent|por ciento)$/i, PERCENT],
]

/** The unit in a heading such as `Umsatz (T€)`, `Amount in k`, `Wert Mio. EUR` or `Rabatt %`; undefined if it has none. */
export function unitIn(heading: string): HeadingUnit | undefined {
  for (const [part, from] of partsOf(heading)) {
    const found = unitOf(part)
    if (found !== undefined) return { ...found, rest: heading.slice(0, from).trim() }
  }
  return undefined
}

/** The parts in brackets, after `in`, or last, or else all of it; and where each begins. */
function partsOf(heading: string): readonly (readonly [part: string, from: number])[] {
  return places.flatMap((place): readonly (readonly [string, number])[] => {
    const found = place.exec(heading)
    const [, part = ''] = found ?? []
    return found === null || (place === lastWord && !isSign(part)) ? [] : [[part, found.index]]
  })
}

const lastWord = /\s(\S{1,10})\s*$/
const places = [
  /[([]\s*(?:in\s+|en\s+)?([^()[\]]{1,20})[)\]]\s*$/i,
  /\s(?:in|en)\s+(\S{1,20}(?:\s\S{1,5})?)\s*$/i,
  /\s(\S{1,10}\s\S{1,5})\s*$/,
  lastWord,
  /^\s*(?:in\s+|en\s+)?(\S{1,12}(?:\s\S{1,5})?)\s*$/i,
]

/** A last word alone is a unit only if it can be nothing else: `Team M` has none. */
const isSign = (word: string): boolean => /[%€$£]|^(?:k|t)[A-Z]{3}$|^(?:tsd|mio|mrd)\.?$/i.test(word)

function unitOf(part: string): Omit<HeadingUnit, 'rest'> | undefined {
  const text = part.replaceAll('.', '').trim()
  const alone = factorsOf(text)
  if (alone !== undefined) return { factors: alone, currencies: [] }
  for (const [, unit = '', currency = ''] of splits(text)) {
    const factors = factorsOf(unit.trim())
    const currencies = factors === undefined ? [] : currenciesOf(currency.trim())
    if (factors !== undefined && currencies.length > 0) return { factors, currencies }
  }
  return undefined
}

/** `T€`, `kEUR`, `Mio EUR`, and the other way round. */
function splits(text: string): readonly (readonly string[])[] {
  const before = /^([a-z']{1,10}?|'?000)\s*(\p{Sc}|[A-Z]{3})$/iu.exec(text)
  const after = /^(\p{Sc}|[A-Z]{3})\s*([a-z']{1,10}|'?000)$/iu.exec(text)
  return [...(before ? [before] : []), ...(after ? [['', after[2] ?? '', after[1] ?? '']] : [])]
}

const factorsOf = (word: string): readonly number[] | undefined => words.find(([pattern]) => pattern.test(word))?.[1]

/** A number as the service writes it, in its unit; exact. */
export function timesUnit(number: string, unit: number): string {
  const [sign, digits] = number.startsWith('-') ? ['-', number.slice(1)] : ['', number]
  const [one, other] = [digits, String(unit)].map(scaled) as [Scaled, Scaled]
  const product = String(one.units * other.units).padStart(one.decimals + other.decimals + 1, '0')
  const point = product.length - one.decimals - other.decimals
  const fraction = product.slice(point).replace(/0+$/, '')
  return `${sign}${product.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`
}

interface Scaled {
  readonly units: bigint
  readonly decimals: number
}

function scaled(number: string): Scaled {
  const [units = '', fraction = ''] = number.split('.')
  return { units: BigInt(units + fraction), decimals: fraction.length }
}
