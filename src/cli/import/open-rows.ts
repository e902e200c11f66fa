import type { AskedReading, ColumnReading, FileColumn } from '../../imports/cells/reading.ts'
import { matchHeadings } from '../../imports/columns/headings.ts'
import { fieldsIn, layoutOf } from '../../imports/columns/layout.ts'
import type { FoundValue } from '../../imports/columns/value-survey.ts'
import type { FileBytes } from '../../imports/file/file-bytes.ts'
import { UnreadableFile } from '../../imports/file/unreadable-file.ts'
import { answered, examine, type GivenReading, glance } from '../../imports/read/examine.ts'
import type { ImportFormat } from '../../imports/read/formats.ts'
import { headOf, knownHeadings } from '../../imports/read/head.ts'
import type { Matching } from '../../imports/read/matching.ts'
import { delimiterOf } from '../../imports/read/recognise.ts'
import { type RowFile, rowFile, textRows } from '../../imports/read/row-file.ts'
import { type Source, unreadableBeginning } from '../../imports/read/source.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
import { near, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { Failure } from '../failure.ts'
import { type MappedColumn, mappedColumns, noColumn } from './map-columns.ts'
import { openFile, standardInput } from './open-source.ts'
import { unknownText } from './value-notes.ts'

/** How the caller says that the file is read. */
export interface RowsAsked {
  /** Undefined if neither the caller nor the name of the file says it. */
  readonly format: ImportFormat | undefined
  readonly delimiter?: string | undefined
  /** The currency of new things. */
  readonly currency: string
  /** The answers about columns that do not decide themselves. */
  readonly reading: ColumnReading
  /** The fields of columns. */
  readonly map: readonly MappedColumn[]
  /** Further answers about the file. */
  readonly given: Pick<GivenReading, 'values' | 'defaults' | 'sheet' | 'headings' | 'zone'>
}

export interface OpenRows {
  readonly file: RowFile
  readonly matching: Matching
  /** The values that nobody knows. */
  readonly values: readonly FoundValue[]
  /** The same rows once more; undefined for input, which is read once. */
  readonly again: (() => RowFile) | undefined
  close(): Promise<void>
}

/**
 * Opens a file, or standard input for `-`, and finds out how its rows are read: the whole columns of a file decide.
 * Input is read once, so that there each cell decides for itself. Throws `Failure` and `UnreadableFile`.
 */
export async function openRows(
  path: string,
  resource: Resource,
  asked: RowsAsked,
  signal: AbortSignal,
): Promise<OpenRows> {
  if (path === '-') return inputRows(standardInput(signal), resource, asked)
  const file = await openFile(path)
  const close = (): Promise<void> => file.close()
  try {
    const format = asked.format ?? (await formatIn(file))
    if (format === 'ndjson') {
      const matching: Matching = { ...noColumns, ...definedIn(asked.given), delimiter: ',', encoding: 'utf-8' }
      return { file: rowFile(file, matching), matching, values: [], again: () => rowFile(file, matching), close }
    }
    const { matching, values } = await examined(file, format, resource, asked)
    return { file: rowFile(file, matching), matching, values, again: () => rowFile(file, matching), close }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** How a file of columns is read, with all that was said about it. */
async function examined(
  file: FileBytes,
  format: ImportFormat,
  resource: Resource,
  { delimiter, reading, map, given, currency }: RowsAsked,
): Promise<{ readonly matching: Matching; readonly values: readonly FoundValue[] }> {
  const shape = { ...(format === 'csv' && { format }), ...(delimiter !== undefined && { delimiter }) }
  const chosen = { ...shape, ...definedIn(given), ...(given.sheet !== undefined && { isSheetChosen: true }) }
  const seen = await glance(file, resource, chosen)
  const mapped = mappedColumns(file.name, seen.matching.columns, map, resource)
  refuseUnknown(file.name, given.values, mapped)
  const first = await examine(file, resource, { ...chosen, ...seen.matching, columns: mapped }, currency)
  const columns = answered(first.matching.columns, first.asked, reading)
  const open = [...seen.asked, ...first.asked.filter(({ about }) => about !== 'sheet')].filter(
    ({ about }) => about === 'sheet' || reading[about] === undefined,
  )
  if (open.length > 0) throw new Failure(questions(open, columns))
  refuseMisspelt(file.name, columns, resource)
  const needed = first.values.filter(({ isNeeded, isPerson, as }) => isNeeded && !isPerson && as === null)
  if (needed.length > 0) throw new Failure(unknownText(needed))
  return { matching: { ...first.matching, columns }, values: first.values }
}

const definedIn = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T

const noColumns = { format: 'ndjson', headerAt: 0, columns: [] } as const

/** The format that the bytes of a file say: a text is CSV unless it begins as JSON does. */
async function formatIn(file: FileBytes): Promise<ImportFormat> {
  const beginning = await file.read(0, 1024)
  if (beginning.length === 0) throw new UnreadableFile(file.name, 'empty')
  const because = unreadableBeginning(beginning)
  if (because === 'spreadsheet') return 'xlsx'
  if (because !== undefined && because !== 'utf-16') throw new UnreadableFile(file.name, because)
  return /^\s*\{/.test(beginning.toString('utf8')) ? 'ndjson' : 'csv'
}

/** Asks about columns that can be read in more than one way, once for each option, which holds for all of them. */
function questions(asked: readonly AskedReading[], columns: readonly FileColumn[]): string {
  const all = [...Map.groupBy(asked, ({ about }) => about)].map(([about, those]) => {
    const choices = [...new Set(those.flatMap((each): readonly (string | number)[] => each.choices))].map(String)
    if (about === 'sheet') return `several sheets have a table: say --sheet ${choices.map(quoted).join(' or --sheet ')}`
    const names = those.map(({ column }) => JSON.stringify(column)).join(' and ')
    if (about === 'unit')
      return those.map(({ column, choices: factors }) => unitQuestion(column, factors, columns)).join('; ')
    const few = choices.slice(0, 3).map((choice) => `--${about} ${quoted(choice)}`)
    const others = choices.length > few.length ? ' or another' : ''
    return `${names} can be read in more than one way: say ${few.join(' or ')}${others}`
  })
  return all.join('; ')
}

function unitQuestion(
  heading: string | null,
  factors: readonly (string | number)[],
  columns: readonly FileColumn[],
): string {
  const field = columns.find((each) => each.heading === heading)?.field ?? ''
  const said = factors.map((factor) => `--map '${heading}=${field}${factor === 1 ? '*1' : `*${factor}`}'`)
  return `${JSON.stringify(heading)} says a unit: say ${said.join(' or ')}`
}

const quoted = (choice: string): string => (/^\w+$/.test(choice) ? choice : `'${choice}'`)

/** Answers about a column that the file does not have are probably meant for another. */
function refuseUnknown(path: string, values: ValueAnswers | undefined, columns: readonly FileColumn[]): void {
  const headings = columns.map(({ heading }) => heading)
  for (const name of Object.keys(values ?? {})) if (!headings.includes(name)) throw noColumn(path, name, headings)
}

/** A column that nearly has the name of a field without which nothing comes in is misspelt rather than superfluous. */
function refuseMisspelt(path: string, columns: readonly FileColumn[], resource: Resource): void {
  const layout = layoutOf(resource)
  const needed = new Set([
    ...(resource.imports === 'together' ? layout.oneOf : []),
    ...Object.entries<{ readonly required: boolean }>(resource.create).flatMap(([name, { required }]) =>
      required ? [name] : [],
    ),
  ])
  for (const { heading, field } of columns) {
    if (field !== null || layout.columns.has(heading)) continue
    const [, name = ''] = /^(.*) \(\d+\)$/.exec(heading) ?? []
    if (columns.some((each) => each.heading === name && each.field === name))
      throw new UnreadableFile(path, { header: reason('repeated-column', { name }) })
    const meant = nearest(heading, fieldsIn(layout))
    if (meant !== undefined && needed.has(meant) && !columns.some((each) => each.field === meant))
      throw new UnreadableFile(path, {
        header: reason('unknown-column', { name: heading, columns: fieldsIn(layout), ...near(meant) }),
      })
  }
}

async function inputRows(source: Source, resource: Resource, asked: RowsAsked): Promise<OpenRows> {
  const { format, reading, map, given } = asked
  const rest = { values: [], again: undefined, close: async (): Promise<void> => {} } as const
  if (format === undefined) throw new Failure(`choose the format of standard input: --format csv or --format ndjson`)
  if (format === 'xlsx') throw new Failure('a spreadsheet cannot be read from standard input; name its file')
  if (format === 'ndjson') {
    const matching: Matching = { ...noColumns, ...definedIn(given), delimiter: ',', encoding: 'utf-8' }
    return { file: textRows(source, matching), matching, ...rest }
  }
  const texts = source.texts()
  const { value: beginning = '' } = await texts.next()
  const delimiter = asked.delimiter ?? delimiterOf(beginning)
  const known = { ...source, texts: () => joined(beginning, undefined) }
  const shape = { delimiter, known: knownHeadings(resource), at: given.headings }
  const { headings, headerAt } = await headOf(textRows(known, { format, delimiter }), shape)
  const guessed = matchHeadings(headings, resource, fieldsIn(layoutOf(resource)))
  const columns = mappedColumns(source.name, guessed, map, resource).map((column) => ({
    ...column,
    reading: { ...reading, ...column.reading },
  }))
  refuseMisspelt(source.name, columns, resource)
  const whole = { ...source, texts: () => joined(beginning, texts) }
  const matching: Matching = { ...definedIn(given), format, headerAt, columns, delimiter, encoding: 'utf-8' }
  return { file: textRows(whole, { format, delimiter }), matching, ...rest }
}

async function* joined(beginning: string, rest: AsyncGenerator<string> | undefined): AsyncGenerator<string> {
  yield beginning
  if (rest !== undefined) yield* rest
}
