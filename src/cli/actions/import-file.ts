import { randomUUID } from 'node:crypto'
import { basename, extname } from 'node:path'
import type { Settings } from '../../config.ts'
import type { ColumnReading } from '../../imports/cells/reading.ts'
import { layoutOf } from '../../imports/columns/layout.ts'
import { type RowReader, rowReader } from '../../imports/columns/row-reader.ts'
import { UnreadableFile } from '../../imports/file/unreadable-file.ts'
import { columnFaults, headingsOf } from '../../imports/read/column-faults.ts'
import type { ImportFormat } from '../../imports/read/formats.ts'
import type { Matching } from '../../imports/read/matching.ts'
import { type FaultyRow, type Rejection, readWaves, type Wave } from '../../imports/read/read-waves.ts'
import type { RowFile } from '../../imports/read/row-file.ts'
import { type ImportProgress, importWaves } from '../../imports/rows/import-waves.ts'
import { importable } from '../../imports/rows/importable.ts'
import { saysWhich } from '../../imports/rows/look-known.ts'
import { resolveNames } from '../../imports/rows/resolve-names.ts'
import { laterTexts, unknownValues } from '../../imports/rows/unknown-values.ts'
import { foundText, nothingFound } from '../../imports/uploads/found.ts'
import { tell } from '../../languages/tell.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { noRows } from '../../model/nouns/imports/import-counts.ts'
import type { Person } from '../../model/nouns/user/person.ts'
import { openStore, requireDatabase, storedSchema } from '../../store/open.ts'
import { SERVICE } from '../../store/port/desk.ts'
import type { Store } from '../../store/port/store.ts'
import { shownAddress } from '../../values/shown-address.ts'
import { exitCodes, Failure, requireFolder, tellFaults } from '../failure.ts'
import { confirmKnown, isEmpty, refuseKnown } from '../import/confirm-known.ts'
import type { MappedColumn } from '../import/map-columns.ts'
import { type OpenRows, openRows } from '../import/open-rows.ts'
import { localZone, readDefaults, readValues } from '../import/read-answers.ts'
import { keepRejections, type Rejections } from '../import/rejections.ts'
import { leftOut, valueNotes } from '../import/value-notes.ts'
import { grouped, showProgress } from '../progress.ts'
import { isSameFile, refuseDatabase } from '../target.ts'

interface ImportOptions extends ColumnReading {
  readonly format?: ImportFormat
  readonly delimiter?: string
  readonly strict?: boolean
  readonly rejected?: string
  readonly dryRun?: boolean
  readonly create?: 'missing'
  readonly badCells?: 'empty'
  readonly map?: readonly MappedColumn[]
  /** A file of JSON. */
  readonly values?: string
  readonly default?: readonly (readonly [field: string, text: string])[]
  readonly sheet?: string
  readonly headings?: number
  readonly yes?: boolean
}

/**
 * Rows written at a time. Row by row, they are a few batches of the store; together, they delay a running service by
 * about a tenth of a second.
 */
const WAVE = { 'row by row': 512, together: 5000 } as const

/** Milliseconds without a step after which an import counts as dead, and others announce what it has stored. */
const LEASE = 60_000

/** Imports a file; returns the exit code. */
export async function importFile(
  settings: Settings,
  things: string,
  file: string,
  options: ImportOptions,
): Promise<number> {
  requireDatabase(settings)
  // The argument is one of the choices.
  const known = importable(await storedSchema(settings.databaseUrl))
  const resource = known.find(({ plural }) => plural === things) as Resource
  const { strict = false, dryRun = false, create, badCells } = options
  const rejectedFile = rejectedFileFor(settings, things, file, options)
  const interrupted = new AbortController()
  const opened = await openFile(settings, file, resource, options, interrupted.signal)
  const progress = await showProgress(dryRun ? 'checking' : 'importing', things)
  const { matching } = opened
  const inFile = headingsOf(matching.columns)
  const rejections = keepRejections(rejectedFile, progress.note, inFile)
  const forget = onInterruption(() => {
    interrupted.abort()
    progress.note('stopping after the current batch …')
  })
  const groups = columnFaults(opened.matching)
  const onEmptied = (rows: readonly FaultyRow[]): void => {
    groups.add(rows, true)
    for (const { line, faults } of rows) rejections.emptied({ line, faults })
  }
  const onRejected = (rejected: readonly Rejection[]): void => {
    groups.add(rejected)
    for (const each of rejected) {
      rejections.add(each)
      if (strict) throw new Failure(`stopped at line ${each.line}: ${tellFaults(each.faults, inFile)}`)
    }
  }
  const reader = readerOf(resource, matching, badCells, settings.currency)
  const atOnce = WAVE[resource.imports ?? 'row by row']
  const waveReading = { ...matching, atOnce, signal: interrupted.signal }
  const waves = readWaves(opened.file, waveReading, reader)

  const started = performance.now()
  let reached: ImportProgress = { taken: 0, kept: noRows, batches: 0 }
  let store: Store | undefined
  let failure: unknown
  try {
    // Refuse an unreadable file before opening the database for it.
    const first = await waves.next()
    const all = resumed(first, waves, () => progress.phase('finishing'))
    store = await openTelling(settings, progress.note)
    // The record of the import: admins see and undo it, and another process announces it if this one dies.
    const people = await store.accounts.users()
    for (const note of notesOn(opened, people, resource)) progress.note(note)
    const records = { resource: things, name: file === '-' ? '' : basename(file), size: opened.file.size ?? 0 }
    const run = { id: randomUUID(), runner: randomUUID(), lease: LEASE, records }
    const found = () => foundText({ ...matching, create, badCells }, { ...nothingFound, faults: groups.found() })
    const by = { actor: null, desk: store.as(SERVICE), later: laterTexts(matching.values) }
    const imported = { ...by, store, resource, strict, dryRun, onRejected, run: dryRun ? undefined : run, found }
    const naming = { ...imported, create, badCells, people, importId: run.id }
    const isSaid = matching.format === 'ndjson' || saysWhich(resource, matching.columns)
    const named = noticed(resolveNames(all, resource, naming), onEmptied)
    const identified = isSaid ? named : withKeys(named, run.id)
    const rows = (file: RowFile) =>
      resolveNames(readWaves(file, waveReading, reader), resource, { ...naming, dryRun: true })
    const told = { things, ...options, say: progress.note }
    const unsaid = isSaid || (await isEmpty(store, resource)) ? undefined : opened
    if (unsaid?.again !== undefined) await confirmKnown(by.desk, resource, rows(unsaid.again()), told)
    const isLate = unsaid !== undefined && unsaid.again === undefined
    const checked = isLate ? refuseKnown(by.desk, resource, identified, told) : identified
    for await (reached of importWaves(checked, imported)) {
      progress.update(reached.taken, opened.file.size && opened.file.position() / opened.file.size)
    }
    if (!dryRun) await store.imports.end(run.id, run.runner, interrupted.signal.aborted ? 'importing' : 'done', null)
  } catch (cause) {
    failure = cause instanceof UnreadableFile ? new Failure(whyUnreadable(cause), { cause }) : cause
    // Read nothing more.
    interrupted.abort()
  } finally {
    progress.stop()
    forget()
    await opened.close()
    await store?.close()
  }
  rejections.tellRest()
  try {
    rejections.close()
  } catch (cause) {
    failure ??= cause
  }
  if (failure === undefined && !interrupted.signal.aborted && reached.taken === 0 && rejections.count() === 0)
    progress.note(`${opened.file.name} has headings and no rows`)
  if (create === undefined && groups.found().some(({ code }) => code === 'not-found'))
    progress.note('--create missing creates what was not found')
  if (failure === undefined || reached.batches > 0) {
    summarize(reached, rejections, rejectedFile, performance.now() - started, options)
  }
  if (failure !== undefined) throw failure
  if (interrupted.signal.aborted) return tellInterrupted(reached)
  return rejections.count() === 0 ? exitCodes.fine : exitCodes.failed
}

async function openTelling(settings: Settings, tell: (note: string) => void): Promise<Store> {
  const store = await openStore(settings, () => {})
  const { isNew, notes } = store.opening
  if (isNew) tell(`created a new database, ${shownAddress(settings.databaseUrl)}`)
  for (const note of notes) tell(note)
  return store
}

function tellInterrupted({ batches }: Pick<ImportProgress, 'batches'>): number {
  const whole = `${grouped(batches)} whole ${batches === 1 ? 'batch is' : 'batches are'} in`
  process.stderr.write(`dealdesk: interrupted; ${whole}, run it again to continue\n`)
  return exitCodes.interrupted
}

/** A dry run writes no file that was not asked for. */
function rejectedFileFor(
  settings: Settings,
  things: string,
  file: string,
  { rejected, dryRun = false }: ImportOptions,
): string | undefined {
  const rejectedFile = rejected ?? (dryRun ? undefined : `${file === '-' ? things : file}.rejected.ndjson`)
  if (rejectedFile === undefined) return undefined
  requireFolder(rejectedFile)
  refuseDatabase(settings, rejectedFile)
  if (file !== '-' && isSameFile(rejectedFile, file)) throw new Failure(`${rejectedFile} is the file to import`)
  return rejectedFile
}

/** Opens the file as the options say that it is read. */
function openFile(
  { currency }: Settings,
  file: string,
  resource: Resource,
  options: ImportOptions,
  signal: AbortSignal,
): ReturnType<typeof openRows> {
  const { delimiter, format = formatOf(file), sheet, headings, map = [] } = options
  const reading = definedIn({ decimal: options.decimal, dates: options.dates, currency: options.currency })
  const values = readValues(options.values, resource)
  const given = { values, defaults: readDefaults(options.default, resource), sheet, headings, zone: localZone() }
  return openRows(file, resource, { format, delimiter, reading, currency, map, given }, signal).catch((cause) => {
    throw cause instanceof UnreadableFile ? new Failure(whyUnreadable(cause), { cause }) : cause
  })
}

const whyUnreadable = ({ message, file, because }: UnreadableFile): string =>
  typeof because === 'string' ? message : `${file}: ${tell(because.header)}`

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>, onEnd: () => void): AsyncGenerator<T> {
  if (!first.done) yield first.value
  yield* rest
  onEnd()
}

/** Absent answers are no answers. */
const definedIn = (answers: { readonly [name: string]: string | undefined }): ColumnReading =>
  Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined))

/** Rows need no reference: without such a column they are new. */
function readerOf(
  resource: Resource,
  { format, columns, values, defaults, zone }: Matching,
  badCells: ImportOptions['badCells'],
  currency: string,
): RowReader {
  const layout = layoutOf(resource, currency, zone)
  const isUnsaid = format !== 'ndjson' && resource.imports === 'row by row' && !saysWhich(resource, columns)
  return rowReader(isUnsaid ? { ...layout, oneOf: [] } : layout, { empties: badCells === 'empty', values, defaults })
}

/** Each row by the run and its line, so that one that is repeated is done once. */
async function* withKeys(waves: AsyncIterable<Wave>, run: string): AsyncGenerator<Wave> {
  for await (const wave of waves)
    yield { ...wave, rows: wave.rows.map((row) => ({ ...row, key: `${run}-${row.line}` })) }
}

/** The columns that are left out, and the values that are matched or that nobody knows. */
function notesOn({ matching, values }: OpenRows, people: readonly Person[], resource: Resource): readonly string[] {
  const left = leftOut(matching.columns, new Set(layoutOf(resource).columns.keys()))
  return [...(left === undefined ? [] : [left]), ...valueNotes(unknownValues(values, people))]
}

/** Tells of cells that were left empty. */
async function* noticed(waves: AsyncIterable<Wave>, tell: (rows: readonly FaultyRow[]) => void): AsyncGenerator<Wave> {
  for await (const wave of waves) {
    if (wave.emptied !== undefined && wave.emptied.length > 0) tell(wave.emptied)
    yield wave
  }
}

/** Stops gracefully on the first signal; on the second the process exits and the current batch is lost. */
function onInterruption(act: () => void): () => void {
  let times = 0
  const interrupt = (): void => {
    times++
    if (times > 1) process.exit(exitCodes.interrupted)
    act()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt)
  }
}

/** The format that the name of a file says, if it says one. */
function formatOf(file: string): ImportFormat | undefined {
  const extension = extname(file).toLowerCase()
  // The content of the last says what it is.
  if (['.csv', '.tsv', '.txt', '.vcf'].includes(extension)) return 'csv'
  if (extension === '.xlsx') return 'xlsx'
  return extension === '.ndjson' || extension === '.jsonl' ? 'ndjson' : undefined
}

function summarize(
  { kept }: ImportProgress,
  rejections: Rejections,
  rejectedFile: string | undefined,
  milliseconds: number,
  { dryRun }: ImportOptions,
): void {
  const { inserted, updated, unchanged } = kept
  const rejected = rejections.count()
  const rate = Math.round((inserted + updated + unchanged) / (milliseconds / 1000))
  process.stdout.write(
    `${dryRun ? 'dry run, nothing is written: ' : ''}inserted ${grouped(inserted)}, updated ${grouped(updated)}, unchanged ${grouped(unchanged)}, rejected ${grouped(rejected)}` +
      ` in ${(milliseconds / 1000).toFixed(1)} s (${grouped(rate)} rows/s)\n` +
      (rejected === 0 || rejectedFile === undefined ? '' : `rejected rows are in ${rejectedFile}\n`),
  )
}
