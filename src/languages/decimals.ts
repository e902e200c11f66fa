import { memoize } from '../values/memoize.ts'

// Decimals in the fields of forms, as a region writes them.

/** The hidden field of a form with the region of its reader, such as `de-DE`. */
export const REGION_FIELD = '_region'

/** A decimal as programs write it; or the meanings of a text that other regions read, as this region writes them. */
export type DecimalReading = { readonly value: string } | { readonly meanings: readonly string[] }

/**
 * Reads a decimal as a region writes it: in Germany `1.500` is 1500. A text that is malformed there is never guessed:
 * `12.50` can mean `12,50`, or `1.250` with a misplaced point.
 */
export function readDecimal(text: string, region: string): DecimalReading {
  const here = conventionIn(region)
  const typed = text.trim().replace(spaces, SPACE)
  const value = wellFormed(typed, here)
  if (value !== undefined) return { value }
  const elsewhere = others.flatMap((each) => wellFormed(typed, each) ?? [])
  if (elsewhere.length === 0) return { meanings: [] }
  const [whole = '', ...fraction] = typed.split(here.decimal)
  const loose = wellFormed([whole.split(here.group).join(''), ...fraction].join(here.decimal), here)
  const meanings = [...elsewhere, ...(loose === undefined ? [] : [loose])]
  return { meanings: [...new Set(meanings.map((each) => decimalIn(each, region)))] }
}

/** A decimal of a document as the region writes it, with its own decimals. */
export const decimalIn = (value: string, region: string): string => formatted(`${region} ${value}`, value, region)

/** Several forms of a page have the same amount. */
const formatted = memoize((_key, value: string, region: string): string => {
  const [, fraction = ''] = value.split('.')
  return formatIn(`${region} ${fraction.length}`).format(value as Intl.StringNumericLiteral)
})

/** How decimals are written. */
interface Convention {
  readonly group: string
  readonly decimal: string
  /** Whether only the last group has three digits, and the others two, as in India. */
  readonly inPairs: boolean
}

/** The separator of groups in some regions is the decimal sign in others. */
const others: readonly Convention[] = [
  { group: ',', decimal: '.', inPairs: false },
  { group: '.', decimal: ',', inPairs: false },
]

const SPACE = ' '
const spaces = /[\s\u00a0\u202f]/g

const plain = /^[-−]?\d+$/

/** The decimal for programs; undefined if the text is malformed. Spaces and apostrophes separate groups anywhere. */
function wellFormed(text: string, { group, decimal, inPairs }: Convention): string | undefined {
  const [whole = '', fraction, ...more] = text.split(decimal)
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  const groups = [group, SPACE, "'", '’'].map((sign) => whole.split(sign))
  const isGrouped = groups.some(
    ([first = '', ...rest]) =>
      rest.length > 0 &&
      (inPairs ? /^[-−]?\d{1,2}$/ : /^[-−]?\d{1,3}$/).test(first) &&
      rest.every((each, at) => each.length === (inPairs && at < rest.length - 1 ? 2 : 3) && plain.test(each)),
  )
  if (!plain.test(whole) && !isGrouped) return undefined
  const sign = /^[-−]/.test(whole) ? '-' : ''
  return `${sign}${whole.replace(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`
}

const conventionIn = memoize((region: string): Convention => {
  const parts = new Intl.NumberFormat(region, { numberingSystem: 'latn' }).formatToParts(1_234_567.5)
  const signOf = (type: string): string => parts.find((part) => part.type === type)?.value.replace(spaces, SPACE) ?? ''
  return { group: signOf('group'), decimal: signOf('decimal'), inPairs: parts[0]?.value === '12' }
})

const formatIn = memoize((key: string) => {
  const [region, decimals] = key.split(' ')
  return new Intl.NumberFormat(region, {
    numberingSystem: 'latn',
    minimumFractionDigits: Number(decimals),
    maximumFractionDigits: Number(decimals),
  })
})
