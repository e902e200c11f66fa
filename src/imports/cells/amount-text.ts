import type { DecimalSign } from './reading.ts'

/** An amount as people write it. */
export interface WrittenAmount {
  /** The number as the service writes it, for each decimal sign with which the text is well-formed. */
  readonly as: { readonly [sign in DecimalSign]?: string }
  /** The words before and after the number: the symbol, code or name of a currency. */
  readonly words: readonly string[]
  readonly isNegative: boolean
}

/** The amount in a cell, such as `31.559,00 €`, `$5,000`, `1'234.50` or `(900 EUR)`; undefined if it has none. */
export function writtenAmount(cell: string): WrittenAmount | undefined {
  if (!digit.test(cell)) return undefined
  const { open, before, minus, number, dash, after, end } = pattern.exec(plain(cell))?.groups ?? {}
  if (number === undefined) return undefined
  const as = dash === undefined ? readings(number) : whole(number, dash.charAt(0) as DecimalSign)
  if (as[','] === undefined && as['.'] === undefined) return undefined
  const words = [before, after].flatMap((word) => (word === undefined ? [] : [word.trim()]))
  return { as, words, isNegative: (open ?? minus ?? end) !== undefined }
}

/** Whether the two decimal signs make two different numbers of it. */
export const isAmbiguous = ({ as }: WrittenAmount): boolean =>
  as[','] !== undefined && as['.'] !== undefined && as[','] !== as['.']

const digit = /\d/
const isPlain = /^[\w.,$€£-](?:[\w.,$€£-]| (?! ))*(?<! )$/

/** One kind of space, apostrophe and minus. */
const plain = (cell: string): string =>
  isPlain.test(cell)
    ? cell
    : cell
        .replaceAll(/\p{White_Space}+/gu, ' ')
        .replaceAll(/[’‘ʼ´`]/g, "'")
        .replaceAll('−', '-')
        .trim()

const word = "[^\\d\\s.,'()+-](?:[^\\d()]*[^\\d\\s()-])?"
// `12,-` has no decimals. Brackets, and a minus at the end, are how accountants write less than nothing.
const pattern = new RegExp(
  `^(?<open>[(-])? ?(?:(?<before>${word}) ?)?(?:\\+|(?<minus>-))? ?(?<number>\\d(?:[\\d.,' ]*\\d)?)(?<dash>[.,][-–—]{1,2})?(?: ?(?<after>${word}))? ?(?<end>[)-])?$`,
  'u',
)

// Groups of three digits after the first, or of two in India. A group never begins with 0.
const wellFormed: { readonly [sign in DecimalSign]: RegExp } = {
  ',': /^(?:\d+|[1-9]\d{0,2}(?:([. '])\d{3}(?:\1\d{3})*))(?:,\d+)?$/,
  '.': /^(?:\d+|[1-9]\d{0,2}(?:([, '])\d{3}(?:\1\d{3})*)|[1-9]\d?(?:,\d{2})+,\d{3})(?:\.\d+)?$/,
}

function readings(number: string): WrittenAmount['as'] {
  const read = (sign: DecimalSign): string | undefined =>
    wellFormed[sign].test(number) ? canonical(number, sign) : undefined
  const [comma, point] = [read(','), read('.')]
  return { ...(comma !== undefined && { ',': comma }), ...(point !== undefined && { '.': point }) }
}

function whole(number: string, sign: DecimalSign): WrittenAmount['as'] {
  const isWhole = wellFormed[sign].test(number) && !number.includes(sign)
  return isWhole ? { [sign]: canonical(number, sign) } : {}
}

function canonical(number: string, sign: DecimalSign): string {
  const [units = '', fraction = ''] = number.split(sign)
  const digits = units.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
  const decimals = fraction.replace(/0+$/, '')
  return decimals === '' ? digits : `${digits}.${decimals}`
}
