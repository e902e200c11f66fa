import { setTimeout as pause } from 'node:timers/promises'
import { type CustomerChunk, chunkBuilder, type GivenCustomer } from '../../model/customer/chunk.ts'
import { customer } from '../../model/customer/customer.ts'
import type { ImportCounts } from '../../model/customer/imported.ts'
import type { Resource } from '../../model/resource.ts'
import { openMaintenance } from '../../store/open.ts'
import type { ImportRun, ImportStep, ImportWork, StoredImport } from '../../store/port/import-store.ts'
import type { ImportedChunk } from '../../store/port/maintenance.ts'
import type { Store } from '../../store/port/store.ts'
import { type Gathering, type Rejection, readBatches } from '../read/read-batches.ts'
import { rowReader } from '../read/row-reader.ts'
import { sourceOf } from '../read/source.ts'
import { customerCheck } from '../rows/check-customers.ts'
import { layoutOf } from '../rows/layouts.ts'
import type { RowOptions } from '../rows/perform-row.ts'
import { countsOf, type FileRow, performWave, settled } from '../rows/things.ts'
import type { Matching } from './matching.ts'
import { packed, uploadedBytes } from './upload.ts'

/** Rows of one step: few, so that whoever writes meanwhile waits for a moment only. */
const WAVE = 256
/** Characters of rejected rows that end a step earlier. */
const LONGEST_WAVE = 1_048_576
/** Milliseconds after each step, for the same reason. */
const TURN = 4

export interface RunOptions extends Omit<RowOptions, 'dryRun'> {
  readonly store: Store
  readonly settings: { readonly databaseUrl: string }
  readonly resource: Resource
  readonly work: ImportWork
  readonly run: ImportRun
  /** Whether the service is about to stop. */
  readonly isStopping: () => boolean
}

/** What a run came to: its end, or the moment when the service stopped. */
export type RunResult = 'ended' | 'stopped' | 'superseded'

/**
 * Checks or imports an uploaded file behind the line that was reached before, and keeps how far it came after each few
 * rows. Throws `UnreadableFile`, and what kept the store from going on.
 */
export async function runImport(upload: StoredImport, matching: Matching, options: RunOptions): Promise<RunResult> {
  const { store, resource, work, isStopping } = options
  const waves = readWaves(upload, matching, options)
  const tell = { ...options, dryRun: work === 'checking', isNamed: namesRows(resource, matching) }
  if (resource.name === customer.name && work === 'importing') return importCustomers(upload, waves, options)
  const check = resource.name === customer.name ? customerCheck(store) : undefined
  for await (const wave of waves) {
    if (isStopping()) return 'stopped'
    const done =
      check === undefined ? await performAll(wave.rows, tell) : { counts: await check(wave.rows), rejected: [] }
    const rejected = [...wave.rejected, ...done.rejected].toSorted((a, b) => a.line - b.line)
    await keepRejected(upload.id, wave.after, rejected, store)
    const step = stepOf(upload, { ...wave, rejected }, options)
    if (!(await store.imports.advance(step, done.counts))) return 'superseded'
    await pause(TURN)
  }
  return 'ended'
}

/** Rows that were read together, and those between them that were wrong. */
interface Wave {
  /** The line behind which it begins, and the last one that it has. */
  readonly after: number
  readonly upto: number
  readonly position: number
  readonly rows: readonly FileRow[]
  readonly rejected: readonly Rejection[]
}

async function* readWaves(
  upload: StoredImport,
  matching: Matching,
  { store, resource }: RunOptions,
): AsyncGenerator<Wave> {
  const { encoding, delimiter, columns, dates } = matching
  const bytes = uploadedBytes(store.imports, upload.id, encoding)
  const source = sourceOf(upload.name, upload.size, bytes)
  const layout = layoutOf(resource)
  const isNamed = namesRows(resource, matching)
  const reader = rowReader(isNamed ? layout : { ...layout, oneOf: [] }, dates)
  let after = upload.upto
  let upto = after
  let rows: FileRow[] = []
  let rejected: Rejection[] = []
  let length = 0
  const take = (): Wave => {
    const wave = { after, upto, position: bytes.position(), rows, rejected }
    after = upto
    rows = []
    rejected = []
    length = 0
    return wave
  }
  const isFull = (): boolean => rows.length + rejected.length === WAVE || length > LONGEST_WAVE
  const gathering: Gathering<Wave> = {
    add(values, line, row) {
      // A row that names nothing is known by its place in the file: the file makes it once.
      rows.push({
        values: isNamed ? values : { ...values, reference: `${upload.id}-${line}` },
        line,
        row,
      })
      upto = line
      return isFull() ? take() : undefined
    },
    reject(rejection) {
      rejected.push(rejection)
      length += rejection.row.length
      upto = rejection.line
      return isFull() ? take() : undefined
    },
    rest: () => (upto > after ? take() : undefined),
  }
  const format = { format: 'csv', delimiter, columns, after } as const
  yield* readBatches(source, format, reader, gathering, new AbortController().signal)
}

/** Whether the rows have an id or a reference of their own, or need none. */
const namesRows = (resource: Resource, { columns }: Matching): boolean =>
  resource.name === customer.name ||
  columns.some((column) => column !== null && layoutOf(resource).oneOf.includes(column))

const stepOf = (
  { id }: StoredImport,
  { upto, position, rejected }: Pick<Wave, 'upto' | 'position' | 'rejected'>,
  { run }: RunOptions,
): ImportStep => ({ ...run, id, upto, position, rejected: rejected.length })

async function performAll(
  rows: readonly FileRow[],
  options: RunOptions & RowOptions & { readonly isNamed: boolean },
): Promise<{ readonly counts: ImportCounts; readonly rejected: readonly Rejection[] }> {
  const results = settled(await performWave(options.store, options.resource, rows, options))
  const rejected = rows.flatMap(({ line, row }, at) => {
    const result = results[at]
    return typeof result === 'object' ? [{ line, faults: result.faults, row: row() }] : []
  })
  // Under the upload's own reference only the upload creates: a run that died did, before it could count the row.
  const counted = options.isNamed
    ? results
    : results.map((result) => (typeof result === 'object' ? result : 'inserted'))
  return { counts: countsOf(counted), rejected }
}

/** The same piece again if a run that stopped is repeated. */
async function keepRejected(
  id: string,
  number: number,
  rejected: readonly Rejection[],
  { imports }: Store,
): Promise<void> {
  if (rejected.length > 0) await imports.putPiece(id, 'rejected', number, await packed(JSON.stringify(rejected)))
}

/** Each chunk is kept together with how far the run came. */
async function importCustomers(
  upload: StoredImport,
  waves: AsyncIterable<Wave>,
  options: RunOptions,
): Promise<RunResult> {
  const { store, settings, actor, key, run, isStopping } = options
  const claim = { id: upload.id, runner: run.runner }
  let result: RunResult = 'ended'
  async function* chunks(): AsyncGenerator<ImportedChunk> {
    for await (const wave of waves) {
      if (isStopping()) {
        result = 'stopped'
        return
      }
      await keepRejected(upload.id, wave.after, wave.rejected, store)
      yield { ...chunkOf(wave.rows), step: stepOf(upload, wave, options) }
    }
  }
  const maintenance = await openMaintenance(settings, { mustExist: true })
  for await (const _reached of maintenance.importCustomers(chunks(), undefined, { actor, key }, claim));
  return result
}

function chunkOf(rows: readonly FileRow[]): CustomerChunk {
  const chunk = chunkBuilder(rows.length)
  for (const { values } of rows) chunk.add(values as unknown as GivenCustomer)
  return chunk.take()
}
