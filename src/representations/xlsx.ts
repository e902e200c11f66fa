import { itemsOf, readDocument } from './read-document.ts'
import {
  type ListShape,
  type Representation,
  type WholeWriter,
  writtenAtOnce,
  writtenInParts,
} from './representation.ts'
import { cellWriter, headerCell, styleSheet } from './xlsx/cells.ts'
import { LARGEST_FILE, zipWriter } from './xlsx/zip.ts'

/**
 * A workbook for spreadsheets (ECMA-376): a header, then a row for each thing; numbers, booleans, dates and instants
 * are cells of their type. It is compressed piece by piece, so that only one batch is in memory. A list that is longer
 * than a sheet continues in the next one. decisions/0037
 */
export const xlsx: Representation = {
  name: 'xlsx',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  problemType: undefined,
  isCompressed: true,
  carries: (kind) => kind === 'page' || kind === 'list',
  write: (document) => writtenAtOnce(writeWorkbook, document),
  parts: (document) => writtenInParts(writeWorkbook, document),
  schema: {
    name: 'Workbook',
    of: {
      type: 'string',
      format: 'binary',
      description:
        'A workbook for spreadsheets: a header, then a row for each item of the whole result, or of one page.',
    },
  },
  whole: { hasPages: true, isLines: false, begin: writeWorkbook },
}

/** The most rows of a sheet. */
const LONGEST_SHEET = 1_048_576
/** Leaves space for one more batch. */
const LARGEST_SHEET = LARGEST_FILE - 2 ** 28

export function writeWorkbook(list: ListShape, longestSheet = LONGEST_SHEET): WholeWriter {
  const zip = zipWriter()
  const columns = list.columns.map((name, index) => ({
    letters: lettersOf(index),
    write: cellWriter(name, list.items),
  }))
  const header = (list.shown?.heads ?? list.columns)
    .map((name, index) => headerCell(`${lettersOf(index)}1`, name))
    .join('')
  let sheets = 0
  let row = 0
  let size = 0

  const file = (name: string, text: string): readonly Uint8Array[] => [
    zip.open(name),
    zip.add(xmlStart + text),
    zip.close(),
  ]
  function beginSheet(): readonly Uint8Array[] {
    sheets++
    row = 1
    size = 0
    return [zip.open(`xl/worksheets/sheet${sheets}.xml`), zip.add(sheetStart(list, header))]
  }
  const endSheet = (): readonly Uint8Array[] => [zip.add('</sheetData></worksheet>'), zip.close()]

  return {
    beginning: () =>
      Buffer.concat([
        ...file('[Content_Types].xml', contentTypes),
        ...file('_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])),
        ...file('xl/styles.xml', styleSheet),
        ...beginSheet(),
      ]),
    batch(texts) {
      const parts: Uint8Array[] = []
      let rows = ''
      for (const item of itemsOf(readDocument(`[${texts.join()}]`))) {
        if (row === longestSheet || size > LARGEST_SHEET) {
          parts.push(zip.add(rows), ...endSheet(), ...beginSheet())
          rows = ''
        }
        row++
        rows += `<row r="${row}">`
        for (const { letters, write } of columns) rows += write(letters + row, item)
        rows += '</row>'
      }
      size += Buffer.byteLength(rows)
      parts.push(zip.add(rows))
      return Buffer.concat(parts)
    },
    end: () =>
      Buffer.concat([
        ...endSheet(),
        ...file('xl/workbook.xml', workbook(list.name, sheets)),
        ...file(
          'xl/_rels/workbook.xml.rels',
          relationships([
            ...numbersTo(sheets).map((each) => ['worksheet', `worksheets/sheet${each}.xml`] as const),
            ['styles', 'styles.xml'],
          ]),
        ),
        zip.end(),
      ]),
  }
}

const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

/** `A` to `Z`, then `AA`. */
function lettersOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : lettersOf(Math.floor(index / 26) - 1) + letter
}

const xmlStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Any file is a sheet unless it is named, so that the number of sheets need not be known. */
const contentTypes = `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`

const relationships = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${packages}/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** The names of lists are words, which are valid sheet names. */
const workbook = (name: string, sheets: number): string =>
  `<workbook xmlns="${spreadsheet}" xmlns:r="${office}"><sheets>${numbersTo(sheets)
    .map((each) => `<sheet name="${each === 1 ? name : `${name} ${each}`}" sheetId="${each}" r:id="rId${each}"/>`)
    .join('')}</sheets></workbook>`

/** The header stays visible, and columns are wide enough for their dates. */
function sheetStart({ columns, items }: ListShape, header: string): string {
  const widths = columns.map((name, index) => {
    const kind = items.fields.get(name)?.kind.name
    const width = kind === 'instant' ? 24 : kind === 'text' || kind === 'uuid' ? 30 : 14
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
  })
  return `${xmlStart}<worksheet xmlns="${spreadsheet}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widths.length > 0 ? `<cols>${widths.join('')}</cols>` : ''}<sheetData><row r="1">${header}</row>`
}
