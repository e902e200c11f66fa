import type { Resource } from '../../model/declaration/schema.ts'
import { sheetBounds } from '../../values/bounds.ts'
import type { Cell } from '../cells/cell.ts'
import type { AskedReading, ColumnReading, FileColumn } from '../cells/reading.ts'
import { matchHeadings } from '../columns/headings.ts'
import { fieldsIn, layoutOf } from '../columns/layout.ts'
import { columnSurvey } from '../columns/survey.ts'
import type { FoundValue } from '../columns/value-survey.ts'
import { type FileBytes, piecesOf } from '../file/file-bytes.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'
import { sheetNames } from '../sheet/workbook.ts'
import { headOf, knownHeadings } from './head.ts'
import type { Matching } from './matching.ts'
import { delimiterOf, type Encoding, encodingOf } from './recognise.ts'
import { type FileShape, rowFile } from './row-file.ts'
import { isMarkup, unreadableBeginning } from './source.ts'

/** The number of bytes of a file from which its format is guessed: a header and some rows. */
const BEGINNING = 65_536

/** How a file is read, what must be asked first, the values that nobody knows, and its first rows. */
export interface ExaminedFile {
  readonly matching: Matching
  readonly asked: readonly AskedReading[]
  readonly values: readonly FoundValue[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The earlier answers of a person, and the values of the settings. */
export interface GivenReading extends Partial<Matching> {
  /** The row of the headings, if a person chose it. */
  readonly headings?: number | undefined
}

/**
 * Finds out how a file is read, from the whole file: its columns decide. What was chosen before is kept. `usual` is the
 * currency of new things. Throws `UnreadableFile`.
 */
export async function examine(
  file: FileBytes,
  resource: Resource,
  given: GivenReading = {},
  usual?: string,
): Promise<ExaminedFile> {
  const { matching, rows, asked: about } = await glance(file, resource, given)
  const { columns, ...shape } = matching
  const currency = given.defaults?.currency ?? usual
  const layout = layoutOf(resource, typeof currency === 'string' ? currency : undefined, given.zone)
  const survey = columnSurvey(columns, layout, given.values)
  const sink = {
    take: (cells: readonly Cell[], line: number) => void (line > shape.headerAt && survey.add(cells)),
    reject: () => {},
  }
  if (survey.isNeeded) for await (const _step of rowFile(file, shape).read(sink));
  const { columns: decided, asked, values } = survey.decided()
  return { matching: { ...shape, columns: decided }, asked: [...about, ...asked], values, rows }
}

/** The same from the beginning of the file alone, so that the columns do not decide yet. Throws `UnreadableFile`. */
export async function glance(
  file: FileBytes,
  resource: Resource,
  given: GivenReading = {},
): Promise<Pick<ExaminedFile, 'matching' | 'rows' | 'asked'>> {
  const { create, badCells, values, defaults, zone } = given
  const said = { create, badCells, values, defaults, zone }
  const { asked, ...shape } = await inSheet(file, resource, await shapeOf(file, given), given)
  const known = knownHeadings(resource)
  // The row of headings that was found once is not looked for again.
  const at = given.headings ?? (given.columns === undefined ? undefined : given.headerAt)
  const { headings, headerAt, rows } = await headOf(rowFile(file, shape), { ...shape, known, at })
  const columns = given.columns ?? matchHeadings(headings, resource, fieldsIn(layoutOf(resource)))
  return { matching: { ...definedIn(said), ...shape, headerAt, columns }, rows, asked }
}

const definedIn = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T

/** The sheet that is read; where several have a table whose headings are known, a person must choose. */
async function inSheet(
  file: FileBytes,
  resource: Resource,
  shape: FileShape,
  { sheet, isSheetChosen }: GivenReading,
): Promise<FileShape & { readonly isSheetChosen?: boolean; readonly asked: readonly AskedReading[] }> {
  if (shape.format !== 'xlsx') {
    if (isSheetChosen && sheet !== undefined) throw new UnreadableFile(file.name, 'no sheet')
    return { ...shape, asked: [] }
  }
  const { all, visible: names } = await sheetNames(file)
  if (sheet !== undefined && isSheetChosen) {
    if (!all.includes(sheet)) throw new UnreadableFile(file.name, 'no sheet')
    return { ...shape, sheet, isSheetChosen, asked: [] }
  }
  if (names.length < 2) return { ...shape, ...(names[0] !== undefined && { sheet: names[0] }), asked: [] }
  const known = knownHeadings(resource)
  const tables: { readonly name: string; readonly isKnown: boolean }[] = []
  for (const name of names.slice(0, sheetBounds.looked)) {
    const head = await headOf(rowFile(file, { ...shape, sheet: name }), { ...shape, known, at: undefined }).catch(
      noTable,
    )
    if (head === undefined || head.rows.length === 0) continue
    const { length } = head.headings.filter((heading) => heading.trim() !== '')
    tables.push({ name, isKnown: length > 0 && known(head.headings) >= Math.min(2, length) })
  }
  const choices = tables.filter(({ isKnown }) => isKnown).map(({ name }) => name)
  const found = sheet ?? choices[0] ?? tables[0]?.name ?? names[0]
  const asked = choices.length > 1 ? [{ column: null, about: 'sheet', choices } as const] : []
  return { ...shape, ...(found !== undefined && { sheet: found }), asked }
}

const noTable = (cause: unknown): undefined => {
  if (cause instanceof UnreadableFile) return undefined
  throw cause
}

/** Sets what was answered on every column that asks for it. */
export const answered = (
  columns: readonly FileColumn[],
  asked: readonly AskedReading[],
  answers: ColumnReading,
): readonly FileColumn[] =>
  columns.map((column) => {
    const open = asked.flatMap(({ column: asks, about }) =>
      asks === column.heading && answers[about] !== undefined ? [[about, answers[about]]] : [],
    )
    if (open.length === 0) return column
    const said = Object.fromEntries(open) as ColumnReading
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
  if (isMarkup(text)) throw new UnreadableFile(file.name, 'document')
  if (given.format === undefined && /^\s*(?:\[\s*)?\{\s*"/.test(text)) throw new UnreadableFile(file.name, 'json')
  return { format: given.format ?? 'csv', encoding, delimiter: given.delimiter ?? delimiterOf(text) }
}

async function encodingIn(file: FileBytes): Promise<Encoding> {
  const encoding = encodingOf()
  for await (const piece of piecesOf(file)) encoding.add(piece)
  return encoding.found()
}
