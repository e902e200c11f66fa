import { zipWriter } from '../../../src/representations/xlsx/zip.ts'

/** A cell of a test's spreadsheet: a shared or inline text, a number, a day as its serial number, or a truth value. */
export type SheetCell =
  | string
  | number
  | boolean
  | null
  | { readonly inline: string }
  | { readonly day: number; readonly style?: number }

interface SheetOptions {
  readonly is1904?: boolean
  /** What the sheet has instead of rows. */
  readonly sheetXml?: string
  /** What the shared texts and the styles are instead. */
  readonly sharedXml?: string
  readonly stylesXml?: string
}

/** An XLSX file with its rows on the second, first visible sheet, as spreadsheets write them. */
export function spreadsheet(
  rows: readonly (readonly SheetCell[])[],
  { is1904 = false, sheetXml, sharedXml, stylesXml }: SheetOptions = {},
): Buffer {
  const shared: string[] = []
  const sheetRows = rows.map((cells, at) => {
    const written = cells.map((cell, column) => cellXml(`${String.fromCharCode(65 + column)}${at + 1}`, cell, shared))
    return written.every((cell) => cell === '') ? '' : `<row r="${at + 1}">${written.join('')}</row>`
  })
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const zip = zipWriter()
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><workbookPr date1904="${Number(is1904)}"/><sheets><sheet name="Alt" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Liste" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'worksheet', 'worksheets/sheet2.xml')}${relation('rId3', 'sharedStrings', 'sharedStrings.xml')}${relation('rId4', 'styles', 'styles.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>hidden</t></is></c></row></sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml':
      sheetXml ??
      `<worksheet ${main}><!-- made --><sheetData>${sheetRows.join('')}</sheetData><mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells></worksheet>`,
    'xl/sharedStrings.xml': sharedXml ?? `<sst ${main}>${shared.join('')}</sst>`,
    'xl/styles.xml':
      stylesXml ??
      `<styleSheet ${main}><numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy;@"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;day&quot;;[Red]\\-0"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
  }
  const parts: Uint8Array[] = []
  for (const [name, content] of Object.entries(files)) parts.push(zip.open(name), zip.add(head + content), zip.close())
  parts.push(zip.end())
  return Buffer.concat(parts)
}

function cellXml(at: string, cell: SheetCell, shared: string[]): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${at}" s="3"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`
  if (typeof cell === 'string') {
    const half = Math.floor(cell.length / 2)
    const run = (text: string): string => `<r><rPr><b/></rPr><t xml:space="preserve">${escaped(text)}</t></r>`
    // Formatted text comes in runs, with hints for its pronunciation.
    shared.push(`<si>${run(cell.slice(0, half))}${run(cell.slice(half))}<rPh sb="0" eb="1"><t>hint</t></rPh></si>`)
    return `<c r="${at}" t="s"><v>${shared.length - 1}</v></c>`
  }
  if ('inline' in cell) return `<c r="${at}" t="inlineStr"><is><t>${escaped(cell.inline)}</t></is></c>`
  return `<c r="${at}" s="${cell.style ?? 1}"><v>${cell.day}</v></c>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '&#10;')
