import { randomUUID } from 'node:crypto'
import { basename, extname } from 'node:path'
import type { Settings } from '../../config.ts'
import type { ColumnReading } from '../../imports/cells/reading.ts'
import { layoutOf } from '../../imports/columns/layout.ts'
import { rowReader } from '../../imports/columns/row-reader.ts'
import { UnreadableFile } from '../../imports/file/unreadable-file.ts'
import { columnFaults, headingsOf } from '../../imports/read/column-faults.ts'
import type { ImportFormat } from '../../imports/read/formats.ts'
import { type FaultyRow, type Rejection, readWaves, type Wave } from '../../imports/read/read-waves.ts'
import { type ImportProgress, importWaves } from '../../imports/rows/import-waves.ts'
import { importable } from '../../imports/rows/importable.ts'
import { resolveNames } from '../../imports/rows/resolve-names.ts'
import { foundText } from '../../imports/uploads/found.ts'
import { tell } from '../../languages/tell.ts'
import { noRows } from '../../model/imports/import-counts.ts'
import type { Resource } from '../../model/schema.ts'
import { openStore, requireDatabase, storedSchema } from '../../store/open.ts'
import { SERVICE } from '../../store/port/desk.ts'
import type { Store } from '../../store/port/store.ts'
import { shownAddress } from '../../values/shown-address.ts'
import { exitCodes, Failure, requireFolder, tellFaults } from '../failure.ts'
import { openRows } from '../import/open-rows.ts'
import { keepRejections, type Rejections } from '../import/rejections.ts'
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
  const resource = importable(await storedSchema(settings.databaseUrl)).find(
    ({ plural }) => plural === things,
  ) as Resource
  const { delimiter, format = formatOf(file), strict = false, dryRun = false, create, badCells } = options
  const reading = definedIn({ decimal: options.decimal, dates: options.dates, currency: options.currency })
  // A dry run writes no file that was not asked for.
  const besides = dryRun ? undefined : `${file === '-' ? things : file}.rejected.ndjson`
  const rejectedFile = options.rejected ?? besides
  if (rejectedFile !== undefined) {
    requireFolder(rejectedFile)
    refuseDatabase(settings, rejectedFile)
    if (file !== '-' && isSameFile(rejectedFile, file)) throw new Failure(`${rejectedFile} is the file to import`)
  }
  const interrupted = new AbortController()
  const shape = { format, delimiter, reading, currency: settings.currency }
  const opened = await openRows(file, resource, shape, interrupted.signal).catch((cause) => {
    throw cause instanceof UnreadableFile ? new Failure(whyUnreadable(cause), { cause }) : cause
  })
  const progress = await showProgress(dryRun ? 'checking' : 'importing', things)
  const inFile = headingsOf(opened.matching.columns)
  const rejections = keepRejections(rejectedFile, progress.note, inFile)
  const forget = onInterruption(() => {
    interrupted.abort()
    progress.note('stopping after the current batch …')
  })
  const groups = columnFaults(opened.matching)
  const onEmptied = (rows: readonly FaultyRow[]): void => {
    groups.add(rows)
    for (const { line, faults } of rows) progress.note(`line ${line}, left empty: ${tellFaults(faults, inFile)}`)
  }
  const onRejected = (rejected: readonly Rejection[]): void => {
    groups.add(rejected)
    for (const { line, faults, row } of rejected) {
      rejections.add({ line, faults, row })
      if (strict) throw new Failure(`stopped at line ${line}: ${tellFaults(faults, inFile)}`)
    }
  }
  const reader = rowReader(layoutOf(resource), badCells === 'empty')
  const atOnce = WAVE[resource.imports ?? 'row by row']
  const waves = readWaves(opened.file, { ...opened.matching, atOnce, signal: interrupted.signal }, reader)

  const started = performance.now()
  let reached: ImportProgress = { taken: 0, kept: noRows, batches: 0 }
  let store: Store | undefined
  let failure: unknown
  try {
    // Refuse an unreadable file before opening the database for it.
    const first = await waves.next()
    const all = resumed(first, waves, () => progress.phase('finishing'))
    store = await openStore(settings, () => {})
    const { isNew, notes } = store.opening
    if (isNew) progress.note(`created a new database, ${shownAddress(settings.databaseUrl)}`)
    for (const note of notes) progress.note(note)
    // The record of the import: admins see and undo it, and another process announces it if this one dies.
    const records = { resource: things, name: file === '-' ? '' : basename(file), size: opened.file.size ?? 0 }
    const run = { id: randomUUID(), runner: randomUUID(), lease: LEASE, records }
    const found = () => foundText({ ...opened.matching, create, badCells }, { asked: [], faults: groups.found() })
    const by = { actor: null, desk: store.as(SERVICE) }
    const imported = { ...by, store, resource, strict, dryRun, onRejected, run: dryRun ? undefined : run, found }
    const naming = { ...imported, create, badCells, importId: run.id }
    const named = noticed(resolveNames(all, resource, naming), onEmptied)
    for await (reached of importWaves(named, imported)) {
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
  if (interrupted.signal.aborted) {
    const whole = `${grouped(reached.batches)} whole ${reached.batches === 1 ? 'batch is' : 'batches are'} in`
    process.stderr.write(`dealdesk: interrupted; ${whole}, run it again to continue\n`)
    return exitCodes.interrupted
  }
  return rejections.count() === 0 ? exitCodes.fine : exitCodes.failed
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
  if (['.csv', '.tsv', '.vcf'].includes(extension)) return 'csv'
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
