import type { Resource } from '../../model/schema.ts'
import { fileBounds } from '../../values/bounds.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import type { AskedReading, ColumnReading, FileColumn } from '../cells/reading.ts'
import { matchHeadings } from '../columns/headings.ts'
import { fieldsIn, layoutOf } from '../columns/layout.ts'
import { columnSurvey } from '../columns/survey.ts'
import { type FileBytes, piecesOf } from '../file/file-bytes.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'
import type { Matching } from './matching.ts'
import { delimiterOf, type Encoding, encodingOf } from './recognise.ts'
import { type FileShape, type RowFile, rowFile } from './row-file.ts'
import { unreadableBeginning } from './source.ts'

/** The number of bytes of a file from which its format is guessed: a header and some rows. */
const BEGINNING = 65_536

/** How a file is read, what must be asked first, and its first rows. */
export interface ExaminedFile {
  readonly matching: Matching
  readonly asked: readonly AskedReading[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * Finds out how a file is read, from the whole file: its columns decide. What was chosen before is kept. `usual` is the
 * currency of new things. Throws `UnreadableFile`.
 */
export async function examine(
  file: FileBytes,
  resource: Resource,
  given: Partial<Matching> = {},
  usual?: string,
): Promise<ExaminedFile> {
  const { matching, rows } = await glance(file, resource, given)
  const { headerAt, columns, ...shape } = matching
  const survey = columnSurvey(columns, layoutOf(resource, usual))
  const sink = {
    take: (cells: readonly Cell[], line: number) => void (line > headerAt && survey.add(cells)),
    reject: () => {},
  }
  if (survey.isNeeded) for await (const _step of rowFile(file, shape).read(sink));
  const { columns: decided, asked } = survey.decided()
  return { matching: { ...shape, headerAt, columns: decided }, asked, rows }
}

/** The same from the beginning of the file alone, so that the columns do not decide yet. Throws `UnreadableFile`. */
export async function glance(
  file: FileBytes,
  resource: Resource,
  given: Partial<Matching> = {},
): Promise<Pick<ExaminedFile, 'matching' | 'rows'>> {
  const shape = await shapeOf(file, given)
  const { headings, headerAt, rows } = await headOf(rowFile(file, shape), shape)
  const columns = given.columns ?? matchHeadings(headings, resource, fieldsIn(layoutOf(resource)))
  return { matching: { ...shape, headerAt, columns }, rows }
}

/** Sets what was answered on every column that asks for it. */
export const answered = (
  columns: readonly FileColumn[],
  asked: readonly AskedReading[],
  answers: ColumnReading,
): readonly FileColumn[] =>
  columns.map((column) => {
    const open = asked.filter((each) => each.column === column.heading && answers[each.about] !== undefined)
    if (open.length === 0) return column
    const said = Object.fromEntries(open.map(({ about }) => [about, answers[about]])) as ColumnReading
    return { ...column, reading: { ...column.reading, ...said } }
  })

async function shapeOf(file: FileBytes, given: Partial<FileShape>): Promise<FileShape> {
  const beginning = await file.read(0, BEGINNING)
  if (beginning.length === 0) throw new UnreadableFile(file.name, 'empty')
  const because = unreadableBeginning(beginning)
  if (because === 'spreadsheet' && beginning.toString('latin1', 0, 2) === 'PK')
    return { format: 'xlsx', encoding: 'utf-8', delimiter: ',' }
  const encoding = given.encoding ?? (await encodingIn(file))
  if (because !== undefined && !encoding.startsWith('utf-16')) throw new UnreadableFile(file.name, because)
  const text = new TextDecoder(encoding).decode(beginning, { stream: true })
  if (given.format === undefined && /^\s*(?:\[\s*)?\{\s*"/.test(text)) throw new UnreadableFile(file.name, 'json')
  return { format: given.format ?? 'csv', encoding, delimiter: given.delimiter ?? delimiterOf(text) }
}

async function encodingIn(file: FileBytes): Promise<Encoding> {
  const encoding = encodingOf()
  for await (const piece of piecesOf(file)) encoding.add(piece)
  return encoding.found()
}

interface FileHead {
  readonly headings: readonly string[]
  readonly headerAt: number
  readonly rows: readonly (readonly Cell[])[]
}

/** The first rows that are looked at for headings, and those that a page shows. */
const [LOOKED_AT, SHOWN] = [20, 6]
/** The line up to which they are looked for: a sheet may have a million blank rows behind what was typed. */
const FARTHEST = 2000

/** The headings of a file and the rows behind them. Throws `UnreadableFile`. */
export async function headOf(file: RowFile, { delimiter }: Pick<FileShape, 'delimiter'>): Promise<FileHead> {
  const records: { readonly cells: readonly Cell[]; readonly line: number; readonly why?: Reason }[] = []
  let reached = 0
  for await (const _step of file.read({
    take(cells, line) {
      reached = line
      const isSeparator = line === 1 && /^sep=/i.test(cells.map(textOf).join(delimiter))
      if (records.length < LOOKED_AT && !isSeparator && !cells.every(isBlank)) records.push({ cells: [...cells], line })
    },
    reject(line, why, raw) {
      reached = line
      // Text behind a title may be no CSV. What is too much may be the headings.
      const isTooMuch = why.code === 'too-long' || why.code === 'uneven-row'
      if (records.length < LOOKED_AT && (isTooMuch || records.length === 0))
        records.push({ cells: raw.split(delimiter), line, why })
    },
  })) {
    if (records.length === LOOKED_AT || reached > FARTHEST) break
  }
  const width = ({ cells, why }: (typeof records)[number]): number =>
    why === undefined ? cells.filter((cell) => !isBlank(cell)).length : Number.POSITIVE_INFINITY
  // A report may have a title above its headings.
  const isWide = records.some((record) => width(record) > 1)
  const at = records.findIndex((record) => !isWide || width(record) > 1)
  const header = records[at]
  if (header === undefined) throw new UnreadableFile(file.name, 'empty')
  const { why } = header
  if (why?.code === 'uneven-row' || header.cells.length > fileBounds.columns)
    throw new UnreadableFile(file.name, 'columns')
  if (why !== undefined) throw new UnreadableFile(file.name, { header: reason('wrong-header', { why }) })
  const rows = records.slice(at + 1, at + 1 + SHOWN).map(({ cells }) => cells)
  return { headings: header.cells.map(textOf), headerAt: header.line, rows }
}
