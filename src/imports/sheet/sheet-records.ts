import type { Cell } from '../cells/cell.ts'
import { textOf } from '../cells/cell.ts'
import { csvRow } from '../read/csv-row.ts'
import type { FileBytes } from '../read/file-bytes.ts'
import type { RecordSink } from '../read/record.ts'
import { UnreadableFile } from '../read/unreadable-file.ts'
import { numberCell } from './cell-types.ts'
import { openWorkbook, unescaped, type Workbook } from './workbook.ts'
import { readXml, type XmlSink } from './xml-reader.ts'

/** The most rows of a sheet, as spreadsheets have them. */
const MOST_ROWS = 1_048_576
/** The most columns of a row; a position beyond them is refused. */
const MOST_CELLS = 16_384
/** The longest text of a cell in a spreadsheet is 32,767 characters. */
const LONGEST_TEXT = 65_536

/** The rows of the first sheet of an XLSX file, a few at a time. Throws `UnreadableFile`. */
export async function* sheetRecords(file: FileBytes, sink: RecordSink): AsyncGenerator<void> {
  const workbook = await openWorkbook(file)
  const reading = readXml(workbook.sheet(), rowReader(workbook, file.name, sink))
  for (;;) {
    const { done, value } = await reading.next()
    if (!done) yield
    else if (value) return
    else throw new UnreadableFile(file.name, 'damaged')
  }
}

function rowReader(workbook: Workbook, name: string, sink: RecordSink): XmlSink {
  let line = 0
  let rows = 0
  let count = 0
  let cells: Cell[] = []
  let at = 0
  let type = 'n'
  let style = 0
  let content = ''
  let isContent = false
  return {
    open(element, attribute) {
      if (element === 'row') {
        rows++
        if (rows > MOST_ROWS) throw new UnreadableFile(name, 'too large')
        line = Number(attribute('r') ?? line + 1)
        cells = []
        count = 0
        at = 0
      } else if (element === 'c') {
        at = placeOf(attribute('r')) ?? cells.length
        count++
        if (at >= MOST_CELLS || count > MOST_CELLS) throw new UnreadableFile(name, 'columns')
        type = attribute('t') ?? 'n'
        style = Number(attribute('s') ?? 0)
        content = ''
      }
      isContent = element === 'v' || element === 't'
    },
    text(text) {
      if (!isContent) return
      content += text
      if (content.length > LONGEST_TEXT) throw new UnreadableFile(name, 'damaged')
    },
    close(element) {
      isContent = false
      if (element === 'c') {
        while (cells.length < at) cells.push('')
        cells[at] = cellOf(type, content, style, workbook)
      }
      if (element === 'row' && cells.length > 0) {
        const taken = cells
        sink.take(taken, line, () => csvRow(taken.map(textOf), ',').trimEnd())
      }
    },
  }
}

/** The place of a position such as `B2`. */
function placeOf(position: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(position ?? '') ?? []
  if (letters === undefined) return undefined
  let place = 0
  for (const letter of letters) place = place * 26 + letter.charCodeAt(0) - 64
  return place - 1
}

function cellOf(type: string, content: string, style: number, { shared, days, is1904 }: Workbook): Cell {
  switch (type) {
    case 's':
      return shared[Number(content)] ?? ''
    case 'inlineStr':
    case 'str':
    case 'e':
      return unescaped(content)
    case 'b':
      return content === '1' ? 'true' : 'false'
    case 'd':
      return content.length > 10
        ? { text: `${content.slice(0, 19)}Z`, type: 'instant' }
        : { text: content, type: 'date' }
    default:
      return content === '' ? '' : numberCell(content, days[style] ?? false, is1904)
  }
}
