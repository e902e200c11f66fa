import type { Upload } from '../../model/imports/upload.ts'
import type { Resource } from '../../model/schema.ts'
import type { ImportRun, ImportWork } from '../../store/port/import-store.ts'
import type { Store } from '../../store/port/store.ts'
import { type FileRow, readWaves, type Wave } from '../read/read-waves.ts'
import { rowReader } from '../read/row-reader.ts'
import { sourceOf } from '../read/source.ts'
import { importWaves } from '../rows/import-waves.ts'
import { layoutOf } from '../rows/layouts.ts'
import type { RowOptions } from '../rows/perform-row.ts'
import type { Matching } from './matching.ts'
import { packed, uploadedBytes } from './upload.ts'

/** Rows written at a time: few, so that other writers wait only briefly. */
const WAVE = 256

export interface RunOptions extends Omit<RowOptions, 'dryRun'> {
  readonly store: Store
  readonly resource: Resource
  readonly work: ImportWork
  readonly run: ImportRun
  /** Whether the service is stopping. */
  readonly isStopping: () => boolean
}

/** How a run ended: at its end, or because the service stopped. */
export type RunResult = 'ended' | 'stopped'

/**
 * Checks or imports an uploaded file from the last reached line on, and stores its progress after each wave. Throws
 * `UnreadableFile`, and faults of the store.
 */
export async function runImport(upload: Upload, matching: Matching, options: RunOptions): Promise<RunResult> {
  const { store, resource, work, run, isStopping } = options
  const isNamed = namesRows(resource, matching)
  let result: RunResult = 'ended'
  async function* untilStopped(): AsyncGenerator<Wave> {
    for await (const wave of wavesOf(upload, matching, options)) {
      if (isStopping()) {
        result = 'stopped'
        return
      }
      // A row without id and reference is identified by its line: the file creates it once.
      yield isNamed ? wave : { ...wave, rows: wave.rows.map((row) => referredTo(row, upload)) }
    }
  }
  const progress = importWaves(untilStopped(), {
    ...options,
    dryRun: work === 'checking',
    run: { ...run, id: upload.id },
    isMade: !isNamed,
    // The same piece again if a stopped run is repeated.
    async onRejected(rejected, { after }) {
      if (rejected.length === 0) return
      await store.imports.putPiece(upload.id, 'rejected', after, await packed(JSON.stringify(rejected)))
    },
  })
  for await (const _reached of progress);
  return result
}

function wavesOf(upload: Upload, matching: Matching, { store, resource }: RunOptions): AsyncGenerator<Wave> {
  const { encoding, delimiter, columns, dates } = matching
  const source = sourceOf(upload.name, upload.size, uploadedBytes(store.imports, upload.id, encoding))
  const layout = layoutOf(resource)
  const reader = rowReader(namesRows(resource, matching) ? layout : { ...layout, oneOf: [] }, dates)
  return readWaves(source, { format: 'csv', delimiter, columns, after: upload.upto }, reader, WAVE)
}

/** Whether the rows have an id or a reference, or need none. */
const namesRows = (resource: Resource, { columns }: Matching): boolean =>
  resource.imports === 'together' ||
  columns.some((column) => column !== null && layoutOf(resource).oneOf.includes(column))

const referredTo = (row: FileRow, { id }: Upload): FileRow => ({
  ...row,
  values: { ...row.values, reference: `${id}-${row.line}` },
})
