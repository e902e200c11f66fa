import { extname } from 'node:path'
import type { Settings } from '../../config.ts'
import { noRows } from '../../model/customer/imported.ts'
import { openMaintenance } from '../../store/open.ts'
import type { ImportProgress } from '../../store/port/maintenance.ts'
import { exitCodes, Failure } from '../failure.ts'
import type { ImportFormat } from '../import/formats.ts'
import { readCustomers } from '../import/read-customers.ts'
import { keepRejections, type Rejections } from '../import/rejections.ts'
import { openSource, type Source } from '../import/source.ts'
import { grouped, showProgress } from '../progress.ts'
import { shownAddress } from '../shown-address.ts'
import { keepNurserySmall } from '../small-nursery.ts'

export interface ImportOptions {
  readonly format?: ImportFormat
  readonly strict?: boolean
  readonly rejected?: string
}

/** Imports the customers of a file; returns the exit code. */
export async function importCustomers(settings: Settings, file: string, options: ImportOptions): Promise<number> {
  keepNurserySmall()
  const format = options.format ?? formatOf(file)
  const interrupted = new AbortController()
  const source = await openSource(file, interrupted.signal)
  const progress = await showProgress('importing', 'customers')
  const rejectedFile = options.rejected ?? `${file === '-' ? 'customers' : file}.rejected.ndjson`
  const rejections = keepRejections(rejectedFile, progress.note)
  const forget = onInterruption(() => {
    interrupted.abort()
    progress.note('stopping when the batch under way is kept …')
  })
  const chunks = readCustomers(source, format, interrupted.signal, (rejection) => {
    rejections.add(rejection)
    if (options.strict) throw new Failure(`stopped at line ${rejection.line}: ${rejection.reason}`)
  })

  const started = performance.now()
  let reached: ImportProgress = { taken: 0, kept: noRows, batches: 0 }
  let failure: unknown
  try {
    // Refuse an unreadable file before creating a database for it.
    const first = await chunks.next()
    const all = resumed(first, chunks, () => progress.phase('finishing'))
    const maintenance = await openMaintenance(settings, { mustExist: false })
    const { isNew, notes } = maintenance.opening
    if (isNew) progress.note(`made a new database, ${shownAddress(settings.databaseUrl)}`)
    for (const note of notes) progress.note(note)
    for await (reached of maintenance.importCustomers(all, expectedRows(source, first.value?.rows ?? 0))) {
      progress.update(reached.taken, source.size && source.position() / source.size)
    }
  } catch (cause) {
    failure = cause
  } finally {
    progress.stop()
    forget()
  }
  rejections.close()
  if (failure === undefined || reached.batches > 0) {
    summarize(reached, rejections, rejectedFile, performance.now() - started)
  }
  if (failure !== undefined) throw failure
  if (interrupted.signal.aborted) {
    const whole = `${grouped(reached.batches)} whole ${reached.batches === 1 ? 'batch is' : 'batches are'} in`
    process.stderr.write(`dealdesk: interrupted; ${whole}, run it again to go on\n`)
    return exitCodes.interrupted
  }
  return rejections.count() === 0 ? exitCodes.fine : exitCodes.failed
}

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
  if (extension === '.csv') return 'csv'
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson'
  throw new Failure(`say what ${file === '-' ? 'standard input' : file} is: --format csv or --format ndjson`)
}

function summarize({ kept }: ImportProgress, rejections: Rejections, rejectedFile: string, milliseconds: number): void {
  const { inserted, updated, unchanged } = kept
  const rejected = rejections.count()
  const rate = Math.round((inserted + updated + unchanged) / (milliseconds / 1000))
  process.stdout.write(
    `inserted ${grouped(inserted)}, updated ${grouped(updated)}, unchanged ${grouped(unchanged)}, rejected ${grouped(rejected)}` +
      ` in ${(milliseconds / 1000).toFixed(1)} s (${grouped(rate)} rows/s)\n` +
      (rejected === 0 ? '' : `rejected rows are in ${rejectedFile}\n`),
  )
}
