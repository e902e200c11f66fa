import { fileBounds, sheetBounds } from '../../values/bounds.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import { csvRow } from '../file/csv-row.ts'
import type { FileBytes } from '../file/file-bytes.ts'
import { type RecordSink, TOO_LONG } from '../file/record.ts'
import { type UnreadableBecause, UnreadableFile } from '../file/unreadable-file.ts'
import { numberCell } from './cell-types.ts'
import { placeOf } from './merged-cells.ts'
import { cellText, joined, openWorkbook, type Workbook } from './workbook.ts'
import { readXml, type XmlSink } from './xml-reader.ts'
import { sizeFrom } from './zip-reader.ts'

/**
 * The rows of a sheet of an XLSX file, a few at a time, of the first one if none is named. `whole` is the file for which
 * its shared texts are remembered. Throws `UnreadableFile`.
 */
export async function* sheetRecords(
  file: FileBytes,
  sink: RecordSink,
  name?: string,
  whole: FileBytes = file,
): AsyncGenerator<void> {
  const workbook = await openWorkbook(file, name, whole)
  const reading = readXml(workbook.sheet(), new SheetRows(workbook, file, sink))
  for (;;) {
    const { done, value } = await reading.next()
    if (!done) yield
    else if (value) return
    else throw new UnreadableFile(file.name, 'damaged')
  }
}

/** The row that is being read. Texts that many cells share cost nothing in the file, so they are counted as they are used. */
class SheetRows implements XmlSink {
  readonly #workbook: Workbook
  readonly #file: FileBytes
  readonly #sink: RecordSink
  readonly #columns: number
  #line = 0
  #cells: Cell[] = []
  /** The number of its cells that the file has. */
  #count = 0
  /** Its characters in CSV, without quotes. */
  #length = 0
  #why: Reason | undefined
  #cell: WrittenCell = { at: 0, type: 'n', style: 0, isFormula: false }
  /** The cells that are merged with cells below, by their column, and the last row of each. */
  readonly #merged = new Map<number, { readonly cell: Cell; readonly upto: number }>()
  #content = ''
  #isContent = false
  /** The characters of all rows, and of those before the last pause. */
  #taken = 0
  #paused = 0

  constructor(workbook: Workbook, file: FileBytes, sink: RecordSink) {
    this.#workbook = workbook
    this.#file = file
    this.#sink = sink
    this.#columns = sink.columns ?? fileBounds.columns
  }

  open(element: string, attribute: (name: string) => string | undefined): void {
    if (element === 'row') this.#beginRow(attribute('r'))
    else if (element === 'c') {
      const at = placeIn(attribute('r')) ?? this.#cells.length
      if (at >= sheetBounds.cells || ++this.#count > sheetBounds.cells) throw this.#unreadable('columns')
      this.#cell = { at, type: attribute('t') ?? 'n', style: Number(attribute('s') ?? 0), isFormula: false }
      this.#content = ''
    } else if (element === 'f') this.#cell = { ...this.#cell, isFormula: true }
    this.#isContent = element === 'v' || element === 't'
  }

  text(text: string): void {
    if (this.#isContent) this.#content = joined(this.#content, text)
  }

  close(element: string): boolean | undefined {
    this.#isContent = false
    if (element === 'c') this.#addCell(cellOf(this.#cell, this.#content, this.#workbook))
    return element === 'row' ? this.#endRow() : undefined
  }

  /** Rows are in order, and reading can continue after a line. */
  #beginRow(number: string | undefined): void {
    const line = number === undefined ? this.#line + 1 : /^\d{1,7}$/.test(number) ? Number(number) : 0
    if (line > sheetBounds.rows) throw this.#unreadable('too large')
    if (line <= this.#line) throw this.#unreadable('damaged')
    this.#line = line
    this.#cells = []
    this.#count = 0
    this.#length = 0
    this.#why = undefined
  }

  /** A row with a fault keeps the cells before it. */
  #addCell(cell: Cell): void {
    const { at } = this.#cell
    const isBeyond = at >= this.#columns
    if (this.#why !== undefined || (isBeyond && isBlank(cell))) return
    this.#length += textOf(cell).length + (this.#count === 1 ? 0 : 1)
    if (isBeyond) this.#why = reason('uneven-row', { count: at + 1, columns: this.#columns })
    else if (this.#length > fileBounds.record) this.#why = TOO_LONG
    else {
      while (this.#cells.length < at) this.#cells.push('')
      this.#cells[at] = cell
    }
  }

  /** A value that is merged with cells below is the value of each of them. */
  #fillMerged(): void {
    for (const [at, { cell, upto }] of this.#merged) {
      if (upto < this.#line) this.#merged.delete(at)
      else if (isBlank(this.#cells[at] ?? '')) {
        // A value that many rows share costs nothing in the file.
        this.#length += textOf(cell).length
        if (this.#length > fileBounds.record) this.#why = TOO_LONG
        while (this.#cells.length < at) this.#cells.push('')
        this.#cells[at] = cell
      }
    }
    for (const [at, upto] of this.#workbook.merged.get(this.#line) ?? []) {
      const cell = this.#cells[at] ?? ''
      if (!isBlank(cell) && at < this.#columns) this.#merged.set(at, { cell, upto })
    }
  }

  #endRow(): boolean {
    // Rows that only have merged cells are blank.
    if (this.#why === undefined && this.#cells.some((cell) => !isBlank(cell))) this.#fillMerged()
    const taken = this.#cells
    const row = (): string => csvRow(taken.map(textOf), ',').trimEnd()
    if (this.#why !== undefined) this.#sink.reject(this.#line, this.#why, row())
    else if (taken.length > 0) this.#sink.take(taken, this.#line, row)
    this.#taken += this.#length
    if (this.#taken > sizeFrom(this.#file.size)) throw this.#unreadable('too large')
    if (this.#taken - this.#paused < fileBounds.record) return false
    this.#paused = this.#taken
    return true
  }

  #unreadable(because: UnreadableBecause): UnreadableFile {
    return new UnreadableFile(this.#file.name, because)
  }
}

/** The place of a position such as `B2`. */
function placeIn(position: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(position ?? '') ?? []
  return letters === undefined ? undefined : placeOf(letters)
}

interface WrittenCell {
  readonly at: number
  readonly type: string
  readonly style: number
  readonly isFormula: boolean
}

function cellOf({ type, style, isFormula }: WrittenCell, content: string, { shared, styles, is1904 }: Workbook): Cell {
  // A program that writes formulas need not compute them.
  if (isFormula && content === '' && type !== 'str') return { text: '', type: 'formula' }
  switch (type) {
    case 's':
      return shared[Number(content)] ?? ''
    case 'e':
      return { text: cellText(content), type: 'error' }
    case 'inlineStr':
    case 'str':
      return cellText(content)
    case 'b':
      return content === '1' ? 'true' : 'false'
    case 'd':
      return content.length > 10
        ? { text: `${content.slice(0, 19)}Z`, type: 'instant' }
        : { text: content, type: 'date' }
    default:
      return content === '' ? '' : numberCell(content, styles[style] ?? 'number', is1904)
  }
}
