import { asText, isExactNumber } from '../../values/json/exact-numbers.ts'
import { decimalsOf } from '../../values/kinds/money.ts'
import type { ListedItems } from '../../values/listed-items.ts'
import { cellIn, type Data, type DataObject, valueIn } from '../read-document.ts'

/** The styles of cells, by their place in `cellFormats`. */
const styles = { date: 1, instant: 2, header: 3, amounts: [4, 5, 6, 7] } as const

/** `styles.xml`: the formats of numbers, and the styles that use them. */
export const styleSheet = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="4"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/><numFmt numFmtId="166" formatCode="#,##0.0"/><numFmt numFmtId="167" formatCode="#,##0.000"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="8">${[0, 164, 165].map(format).join('')}<xf fontId="1" applyFont="1"/>${[3, 166, 4, 167].map(format).join('')}</cellXfs></styleSheet>`

function format(id: number): string {
  return `<xf numFmtId="${id}" applyNumberFormat="1"/>`
}

export const headerCell = (at: string, name: string): string => textCell(at, name, ` s="${styles.header}"`)

/** Writes the cell of a column, at a position such as `B2`. */
export function cellWriter(column: string, { fields }: ListedItems): (at: string, item: DataObject) => string {
  const { kind, currencyIn } = fields.get(column) ?? {}
  switch (kind?.name) {
    case 'date':
    case 'instant': {
      const style = styles[kind.name]
      return (at, item) => {
        const value = valueIn(item, column)
        const serial = typeof value === 'string' ? serialOf(value) : undefined
        return serial === undefined ? cell(at, value) : `<c r="${at}" s="${style}"><v>${serial}</v></c>`
      }
    }
    case 'amount':
      return (at, item) => {
        const currency = currencyIn === undefined ? null : valueIn(item, currencyIn)
        const decimals = decimalsOf(typeof currency === 'string' ? currency : '')
        return cell(at, valueIn(item, column), ` s="${styles.amounts[decimals]}"`)
      }
    default:
      return (at, item) => cell(at, cellIn(item, column))
  }
}

/** Null is an empty cell; anything nested is JSON. */
function cell(at: string, value: Data, style = ''): string {
  if (value === null) return ''
  if (typeof value === 'string') return textCell(at, value, '')
  if (typeof value === 'number' || isExactNumber(value)) return numberCell(at, asText(value), style)
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${Number(value)}</v></c>`
  return textCell(at, JSON.stringify(value), '')
}

/** Spreadsheets show and save fifteen digits of a number, and every digit of a text. */
const numberCell = (at: string, number: string, style: string): string =>
  number.length > 15 && number.replaceAll(/\D/g, '').length > 15
    ? textCell(at, number, '')
    : `<c r="${at}"${style}><v>${number}</v></c>`

/** Inline text. It is never taken for a formula, whatever it begins with. */
function textCell(at: string, text: string, style: string): string {
  return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(fitting(text))}</t></is></c>`
}

/** The most characters of a cell. No text of ours is longer; the JSON of something nested can be. */
const LONGEST_TEXT = 32_767
const fitting = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1).toWellFormed()}…`

const escaped = (text: string): string => (special.test(text) ? text.replace(specials, reference) : text)

// ECMA-376 §22.9.2.19: _xHHHH_ stands for a character, so text that looks like it is escaped too.
const special = /[&<>\r]|_(?=x[\da-f]{4}_)/i
const specials = new RegExp(special, 'gi')

const references: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '_x000D_',
  _: '_x005F_',
}
const reference = (character: string): string => references[character] ?? character

const DAY = 86_400_000
// Day 0 of the calendar in which 1900 was a leap year: right from March 1900 on.
const DAY_ZERO = Date.UTC(1899, 11, 30)
const FIRST_DAY = 61

/** Days since 1900, in UTC; undefined for dates that spreadsheets cannot represent, which stay text. */
function serialOf(text: string): number | undefined {
  const serial = (Date.parse(text) - DAY_ZERO) / DAY
  return serial >= FIRST_DAY ? serial : undefined
}
