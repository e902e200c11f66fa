import type { AskedReading, ColumnReading, FileColumn } from '../../imports/cells/reading.ts'
import { matchHeadings } from '../../imports/columns/headings.ts'
import { fieldsIn, layoutOf } from '../../imports/columns/layout.ts'
import type { FileBytes } from '../../imports/file/file-bytes.ts'
import { UnreadableFile } from '../../imports/file/unreadable-file.ts'
import { answered, examine, headOf } from '../../imports/read/examine.ts'
import type { ImportFormat } from '../../imports/read/formats.ts'
import type { WaveReading } from '../../imports/read/read-waves.ts'
import { delimiterOf } from '../../imports/read/recognise.ts'
import { type RowFile, rowFile, textRows } from '../../imports/read/row-file.ts'
import { type Source, unreadableBeginning } from '../../imports/read/source.ts'
import type { Resource } from '../../model/schema.ts'
import { near, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { Failure } from '../failure.ts'
import { openFile, standardInput } from './open-source.ts'

/** How the caller says that the file is read. */
export interface RowsAsked {
  /** Undefined if neither the caller nor the name of the file says it. */
  readonly format: ImportFormat | undefined
  readonly delimiter?: string | undefined
  /** The currency of new things. */
  readonly currency: string
  /** The answers about columns that do not decide themselves. */
  readonly reading: ColumnReading
}

export interface OpenRows {
  readonly file: RowFile
  readonly matching: Pick<WaveReading, 'format' | 'headerAt' | 'columns'>
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
  const { delimiter = ',', reading } = asked
  const close = (): Promise<void> => file.close()
  try {
    const format = asked.format ?? (await formatIn(file))
    if (format === 'ndjson') {
      return { file: rowFile(file, { format, delimiter, encoding: 'utf-8' }), matching: noColumns, close }
    }
    const given = format === 'csv' ? { format, ...(asked.delimiter && { delimiter }) } : {}
    const first = await examine(file, resource, given, asked.currency)
    const columns = answered(first.matching.columns, first.asked, reading)
    const open = first.asked.filter(({ about }) => reading[about] === undefined)
    if (open.length > 0) throw new Failure(questions(open))
    refuseMisspelt(path, columns, resource)
    return { file: rowFile(file, first.matching), matching: { ...first.matching, columns }, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

const noColumns = { format: 'ndjson', headerAt: 0, columns: [] } as const

/** The format that the bytes of a file say; a text may be of either kind. */
async function formatIn(file: FileBytes): Promise<ImportFormat> {
  const beginning = await file.read(0, 1024)
  if (beginning.length === 0) throw new UnreadableFile(file.name, 'empty')
  const because = unreadableBeginning(beginning)
  if (because === undefined || because === 'utf-16') throw unknownFormat(file.name)
  if (because === 'spreadsheet') return 'xlsx'
  throw new UnreadableFile(file.name, because)
}

const unknownFormat = (name: string): Failure =>
  new Failure(`choose the format of ${name}: --format csv or --format ndjson`)

/** Asks about columns that can be read in more than one way, once for each option, which holds for all of them. */
function questions(asked: readonly AskedReading[]): string {
  const all = [...Map.groupBy(asked, ({ about }) => about)].map(([about, those]) => {
    const columns = those.map(({ column }) => JSON.stringify(column))
    const choices = [...new Set(those.flatMap((each) => each.choices))]
    const few = choices.slice(0, 3).map((choice) => `--${about} ${/^\w+$/.test(choice) ? choice : `'${choice}'`}`)
    const others = choices.length > few.length ? ' or another' : ''
    return `${columns.join(' and ')} can be read in more than one way: say ${few.join(' or ')}${others}`
  })
  return all.join('; ')
}

/** A column that is nearly a field is more likely misspelt than superfluous. */
function refuseMisspelt(path: string, columns: readonly FileColumn[], resource: Resource): void {
  const names = fieldsIn(layoutOf(resource))
  for (const { heading, field } of columns) {
    if (field !== null || layoutOf(resource).columns.has(heading)) continue
    const [, name = ''] = /^(.*) \(\d+\)$/.exec(heading) ?? []
    if (columns.some((each) => each.heading === name && each.field !== null))
      throw new UnreadableFile(path, { header: reason('repeated-column', { name }) })
    const meant = nearest(heading, names)
    if (meant !== undefined && !columns.some((each) => each.field === meant))
      throw new UnreadableFile(path, {
        header: reason('unknown-column', { name: heading, columns: names, ...near(meant) }),
      })
  }
}

async function inputRows(source: Source, resource: Resource, asked: RowsAsked): Promise<OpenRows> {
  const { format, reading } = asked
  const close = async (): Promise<void> => {}
  if (format === undefined) throw unknownFormat('standard input')
  if (format === 'xlsx') throw new Failure('a spreadsheet cannot be read from standard input; name its file')
  if (format === 'ndjson') return { file: textRows(source, { format, delimiter: ',' }), matching: noColumns, close }
  const texts = source.texts()
  const { value: beginning = '' } = await texts.next()
  const delimiter = asked.delimiter ?? delimiterOf(beginning)
  const known = { ...source, texts: () => joined(beginning, undefined) }
  const { headings, headerAt } = await headOf(textRows(known, { format, delimiter }), { delimiter })
  const layout = layoutOf(resource)
  const columns = matchHeadings(headings, resource, fieldsIn(layout)).map((column) => ({ ...column, reading }))
  refuseMisspelt(source.name, columns, resource)
  const whole = { ...source, texts: () => joined(beginning, texts) }
  return { file: textRows(whole, { format, delimiter }), matching: { format, headerAt, columns }, close }
}

async function* joined(beginning: string, rest: AsyncGenerator<string> | undefined): AsyncGenerator<string> {
  yield beginning
  if (rest !== undefined) yield* rest
}
