import { extname } from 'node:path'
import type { Settings } from '../../config.ts'
import type { ImportFormat } from '../../imports/read/formats.ts'
import { type Rejection, readBatches } from '../../imports/read/read-batches.ts'
import { rowReader } from '../../imports/read/row-reader.ts'
import type { Source } from '../../imports/read/source.ts'
import { UnreadableFile } from '../../imports/read/unreadable-file.ts'
import { customerImport } from '../../imports/rows/customers.ts'
import type { Importing, ImportTarget } from '../../imports/rows/importing.ts'
import { thingImport } from '../../imports/rows/things.ts'
import { tell } from '../../languages/tell.ts'
import { noRows } from '../../model/customer/imported.ts'
import { resources } from '../../model/resources.ts'
import type { ImportProgress } from '../../store/port/maintenance.ts'
import { exitCodes, Failure, requireFolder, tellFaults } from '../failure.ts'
import { openSource } from '../import/open-source.ts'
import { keepRejections, type Rejections } from '../import/rejections.ts'
import { grouped, showProgress } from '../progress.ts'
import { shownAddress } from '../shown-address.ts'
import { isSameFile, refuseDatabase } from '../target.ts'

export interface ImportOptions {
  readonly format?: ImportFormat
  readonly delimiter: string
  readonly strict?: boolean
  readonly rejected?: string
  readonly dryRun?: boolean
}

/** Imports a file; returns the exit code. */
export async function importFile(
  settings: Settings,
  what: string,
  file: string,
  options: ImportOptions,
): Promise<number> {
  const resource = resources.find(({ plural, importsRows }) => plural === what && importsRows)
  if (resource !== undefined) {
    const { dryRun = false, strict = false } = options
    return importInto(settings, thingImport(settings, resource, { dryRun, strict, actor: null }), file, options)
  }
  if (options.dryRun) {
    // It asks the store, in a dialect: much to load for those who import.
    const { customerDryRun } = await import('../../imports/rows/check-customers.ts')
    return importInto(settings, customerDryRun(settings), file, options)
  }
  return importInto(settings, customerImport(settings), file, options)
}

async function importInto<B>(
  settings: Settings,
  importing: Importing<B>,
  file: string,
  options: ImportOptions,
): Promise<number> {
  const { things } = importing
  const { delimiter, format = formatOf(file) } = options
  const rejectedFile = options.rejected ?? `${file === '-' ? things : file}.rejected.ndjson`
  requireFolder(rejectedFile)
  refuseDatabase(settings, rejectedFile)
  if (file !== '-' && isSameFile(rejectedFile, file)) throw new Failure(`${rejectedFile} is the file to import`)
  const interrupted = new AbortController()
  const source = await openSource(file, interrupted.signal)
  const progress = await showProgress(options.dryRun ? 'checking' : 'importing', things)
  const rejections = keepRejections(rejectedFile, progress.note)
  const forget = onInterruption(() => {
    interrupted.abort()
    progress.note('stopping when the batch under way is kept …')
  })
  const onReject = (rejection: Rejection): void => {
    rejections.add(rejection)
    if (options.strict) throw new Failure(`stopped at line ${rejection.line}: ${tellFaults(rejection.faults)}`)
  }
  const reader = rowReader(importing.layout)
  const gathering = { ...importing.gathering, reject: (rejection: Rejection) => void onReject(rejection) }
  const batches = readBatches(source, { format, delimiter }, reader, gathering, interrupted.signal)

  const started = performance.now()
  let reached: ImportProgress = { taken: 0, kept: noRows, batches: 0 }
  let target: ImportTarget<B> | undefined
  let failure: unknown
  try {
    // Refuse an unreadable file before creating a database for it.
    const first = await batches.next()
    const all = resumed(first, batches, () => progress.phase('finishing'))
    target = await importing.open()
    const { isNew, notes } = target.opening
    if (isNew) progress.note(`made a new database, ${shownAddress(settings.databaseUrl)}`)
    for (const note of notes) progress.note(note)
    const expected = expectedRows(source, first.done ? 0 : importing.rowsIn(first.value))
    for await (reached of target.write(all, expected, onReject)) {
      progress.update(reached.taken, source.size && source.position() / source.size)
    }
  } catch (cause) {
    failure = cause instanceof UnreadableFile ? new Failure(whyUnreadable(cause), { cause }) : cause
  } finally {
    progress.stop()
    forget()
    await target?.close()
  }
  try {
    rejections.close()
  } catch (cause) {
    failure ??= cause
  }
  if (failure === undefined || reached.batches > 0) {
    summarize(reached, rejections, rejectedFile, performance.now() - started, options)
  }
  if (failure !== undefined) throw failure
  if (interrupted.signal.aborted) {
    const whole = `${grouped(reached.batches)} whole ${reached.batches === 1 ? 'batch is' : 'batches are'} in`
    process.stderr.write(`dealdesk: interrupted; ${whole}, run it again to go on\n`)
    return exitCodes.interrupted
  }
  return rejections.count() === 0 ? exitCodes.fine : exitCodes.failed
}

const whyUnreadable = ({ message, file, because }: UnreadableFile): string =>
  typeof because === 'string' ? message : `${file}: ${tell(because.header)}`

/** Estimates the number of rows from the part of the file that was read. */
const expectedRows = ({ size, position }: Source, rows: number): number | undefined =>
  size === undefined ? undefined : Math.ceil((rows * size) / position())

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>, onEnd: () => void): AsyncGenerator<T> {
  if (!first.done) yield first.value
  yield* rest
  onEnd()
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

function formatOf(file: string): ImportFormat {
  const extension = extname(file).toLowerCase()
  if (extension === '.csv' || extension === '.tsv') return 'csv'
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson'
  throw new Failure(`say what ${file === '-' ? 'standard input' : file} is: --format csv or --format ndjson`)
}

function summarize(
  { kept }: ImportProgress,
  rejections: Rejections,
  rejectedFile: string,
  milliseconds: number,
  { dryRun }: ImportOptions,
): void {
  const { inserted, updated, unchanged } = kept
  const rejected = rejections.count()
  const rate = Math.round((inserted + updated + unchanged) / (milliseconds / 1000))
  process.stdout.write(
    `${dryRun ? 'dry run, nothing is written: ' : ''}inserted ${grouped(inserted)}, updated ${grouped(updated)}, unchanged ${grouped(unchanged)}, rejected ${grouped(rejected)}` +
      ` in ${(milliseconds / 1000).toFixed(1)} s (${grouped(rate)} rows/s)\n` +
      (rejected === 0 ? '' : `rejected rows are in ${rejectedFile}\n`),
  )
}
