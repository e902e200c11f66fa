import { isExactNumber } from '../values/json/exact-numbers.ts'
import { cellIn, columnsOf, type Data, type DataObject, itemsOf, readDocument } from './read-document.ts'
import {
  type ListShape,
  type Representation,
  type ShownTable,
  type WholeWriter,
  writtenInParts,
} from './representation.ts'

/**
 * RFC 4180: a header, then a row for each thing. Null is an empty cell, empty text is `""`, anything nested is JSON. A
 * row with a single null is `""` too, because readers skip an empty line. A spreadsheet must not take text for a
 * formula, so text that could be one gets a `'` in front; so does text that itself begins with `'`.
 * `withoutFormulaMark` restores the exact text.
 */
export const csv: Representation<string> = {
  name: 'csv',
  mediaTypes: ['text/csv'],
  contentType: 'text/csv; charset=utf-8',
  problemType: undefined,
  carries: (kind) => kind === 'page' || kind === 'list',
  write: (document) => {
    const items = itemsOf(readDocument(document.json))
    return csvTable(items, columnsOf(document.columns, items))
  },
  parts: (document) => writtenInParts(writeTable, document),
  schema: {
    name: 'Csv',
    of: {
      type: 'string',
      description:
        'A header, then a row for each item: the whole result, or one page where `page`, `offset`, `maxpagesize` or `after` asks for one.',
    },
  },
  whole: { hasPages: true, isLines: false, begin: writeTable },
}

function writeTable({ columns, shown, items: { fields } }: ListShape): WholeWriter {
  const { heads = columns, separator = ',' } = shown ?? {}
  // In a table for people a number is a text, which keeps its minus, too.
  const numbers = shown && new Set(columns.filter((column) => fields.get(column)?.kind.name === 'amount'))
  return {
    // Spreadsheets take a file for UTF-8 by its byte order mark.
    beginning: () => `${shown ? BOM : ''}${csvHeader(heads, separator)}`,
    batch: (texts) => csvRows(itemsOf(readDocument(`[${texts.join()}]`)), columns, separator, numbers),
    end: () => '',
  }
}

type Separator = ShownTable['separator']

const BOM = '\ufeff'

/** A header and all the rows. */
export const csvTable = (items: readonly DataObject[], columns: readonly string[]): string =>
  csvHeader(columns) + csvRows(items, columns)

const csvHeader = (heads: readonly string[], separator: Separator = ','): string =>
  `${heads.map((head) => textCell(head, separator)).join(separator)}\r\n`

/** Only the rows. */
export function csvRows(
  items: readonly DataObject[],
  columns: readonly string[],
  between: Separator = ',',
  numbers: ReadonlySet<string> = new Set(),
): string {
  let rows = ''
  const alone = columns.length === 1 ? '""' : ''
  for (const item of items) {
    let separator = ''
    for (const column of columns) {
      const value = cellIn(item, column)
      const isNumber = typeof value === 'string' && numbers.has(column)
      rows += separator + (isNumber ? quoted(value, between) : cell(value, between) || alone)
      separator = between
    }
    rows += '\r\n'
  }
  return rows
}

function cell(value: Data, separator: Separator): string {
  if (value === null) return ''
  if (typeof value === 'string') return textCell(value, separator)
  // A number is not text: it keeps its minus.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return isExactNumber(value) ? value.rawJSON : textCell(JSON.stringify(value), separator)
}

function textCell(text: string, separator: Separator): string {
  if (text === '') return '""'
  return quoted(startsLikeFormula.test(text) ? `'${text}` : text, separator)
}

const quoted = (text: string, separator: Separator): string =>
  needsQuotes[separator].test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** The text of a cell. Only a `'` that could have been added is removed: `'t Hooft` keeps its own. */
export const withoutFormulaMark = (cell: string): string =>
  cell.startsWith("'") && startsLikeFormula.test(cell.slice(1)) ? cell.slice(1) : cell

const startsLikeFormula = /^[=+\-@\t\r']/
// Stricter than RFC 4180: readers that trim do so only outside quotes.
const needsQuotes = { ',': /[",\r\n]|^\s|\s$/, ';': /[";\r\n]|^\s|\s$/ }
