import { zipWriter } from '../../../src/representations/xlsx/zip.ts'

/** A cell: a text, a number, nothing, or an element as a spreadsheet writes it, with its attributes and content. */
export type OfficeCell = string | number | boolean | null | { readonly attributes?: string; readonly content: string }

export interface OfficeOptions {
  readonly is1904?: boolean
  /** Sheets that are hidden, by name. */
  readonly hidden?: readonly string[]
  /** Cells of every sheet that are merged, such as `A2:A4`. */
  readonly merged?: readonly string[]
}

/** The styles of `sheets`, by what they show. */
export const styles = { plain: 0, day: 1, time: 2, percent: 3, postcode: 4 } as const

/** A number that is shown in a style. */
export const styled = (style: keyof typeof styles, number: number): OfficeCell => ({
  attributes: ` s="${styles[style]}"`,
  content: `<v>${number}</v>`,
})

/** A formula, with its result if its program computed it; a text is one. */
export const formula = (code: string, result?: number | string): OfficeCell => ({
  attributes: typeof result === 'string' ? ' t="str"' : '',
  content: `<f>${escaped(code)}</f>${result === undefined ? '' : `<v>${escaped(String(result))}</v>`}`,
})

export const errorCell = (error: string): OfficeCell => ({ attributes: ' t="e"', content: `<v>${error}</v>` })

/** An XLSX file of sheets with these names, as offices have them. */
export function sheets(
  all: { readonly [name: string]: readonly (readonly OfficeCell[])[] },
  { is1904 = false, hidden = [], merged = [] }: OfficeOptions = {},
): Buffer {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  // Names such as 2025 would come first in an object.
  const entries = Object.entries(all)
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const listed = entries.map(([name], at) => {
    const state = hidden.includes(name) ? ' state="hidden"' : ''
    return `<sheet name="${escaped(name)}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`
  })
  const merges =
    merged.length === 0 ? '' : `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><workbookPr date1904="${Number(is1904)}"/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${entries.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('')}${relation('rId999', 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts count="2"><numFmt numFmtId="164" formatCode="dd.mm.yyyy hh:mm"/><numFmt numFmtId="165" formatCode="00000"/></numFmts><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
  }
  for (const [at, [, rows]] of entries.entries()) {
    files[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet ${main}><sheetData>${rows.map(rowXml).join('')}</sheetData>${merges}</worksheet>`
  }
  const zip = zipWriter()
  const parts: Uint8Array[] = []
  for (const [name, content] of Object.entries(files)) parts.push(zip.open(name), zip.add(content), zip.close())
  parts.push(zip.end())
  return Buffer.concat(parts)
}

function rowXml(cells: readonly OfficeCell[], row: number): string {
  const written = cells.map((cell, column) => cellXml(`${String.fromCharCode(65 + column)}${row + 1}`, cell))
  return written.every((cell) => cell === '') ? '' : `<row r="${row + 1}">${written.join('')}</row>`
}

function cellXml(at: string, cell: OfficeCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`
  if (typeof cell === 'string')
    return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  return `<c r="${at}"${cell.attributes ?? ''}>${cell.content}</c>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
