import type { Upload } from '../../model/imports/upload.ts'
import type { Resource } from '../../model/schema.ts'
import type { ImportRun, ImportWork } from '../../store/port/import-store.ts'
import type { Store } from '../../store/port/store.ts'
import { layoutOf } from '../columns/layout.ts'
import { rowReader } from '../columns/row-reader.ts'
import { columnFaults } from '../read/column-faults.ts'
import { examine } from '../read/examine.ts'
import type { Matching } from '../read/matching.ts'
import { type FileRow, readWaves, type Wave } from '../read/read-waves.ts'
import { rowFile } from '../read/row-file.ts'
import { importWaves } from '../rows/import-waves.ts'
import type { RowOptions } from '../rows/perform-row.ts'
import { resolveNames } from '../rows/resolve-names.ts'
import { type FoundInFile, foundText, joinedFaults, nothingFound, readFound } from './found.ts'
import { packed, uploadedFile } from './upload.ts'

/** Rows at a time: few are written, so that other writers wait only briefly. */
const WAVES: { readonly [W in ImportWork]: number } = { checking: 512, importing: 256 }

export interface RunOptions extends Omit<RowOptions, 'dryRun'> {
  readonly store: Store
  readonly resource: Resource
  readonly work: ImportWork
  readonly run: ImportRun
  /** Whether the service is stopping. */
  readonly isStopping: () => boolean
}

/** How a run ended: at its end, with questions about the file, or because the service stopped. */
export type RunResult = 'ended' | 'asking' | 'stopped'

/**
 * Checks or imports an uploaded file from the last reached line on, and stores its progress after each wave. A check
 * begins with the columns, which as a whole decide how they are read. Throws `UnreadableFile`, and faults of the store.
 */
export async function runImport(upload: Upload, stored: Matching, options: RunOptions): Promise<RunResult> {
  const { store, resource, work, run, isStopping } = options
  const begun =
    upload.upto === 0 ? await begin(upload, stored, options) : { matching: stored, found: readFound(upload.found) }
  if (begun === undefined) return 'stopped'
  const { matching, found } = begun
  if (found.asked.length > 0) return 'asking'
  const isNamed = namesRows(resource, matching)
  const groups = columnFaults(matching)
  const foundNow = (): string => foundText(matching, { ...found, faults: joinedFaults(found.faults, groups.found()) })
  let result: RunResult = 'ended'
  async function* untilStopped(): AsyncGenerator<Wave> {
    for await (const wave of wavesOf(upload, matching, options)) {
      if (isStopping()) {
        result = 'stopped'
        return
      }
      groups.add(wave.emptied ?? [])
      // A row without id and reference is identified by its line: the file creates it once.
      yield isNamed ? wave : { ...wave, rows: wave.rows.map((row) => identified(row, upload)) }
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
      groups.add(rejected)
      await store.imports.putPiece(upload.id, 'rejected', after, await packed(JSON.stringify(rejected)))
    },
    found: foundNow,
  })
  for await (const _reached of progress);
  // The rows of the last step may have been rejected by the store itself.
  if (result === 'ended') await store.imports.findOut(upload.id, run.runner, JSON.stringify(matching), foundNow())
  return result
}

/** Finds out how the file is read, unless that was done by a check; undefined if another run has taken over. */
async function begin(
  upload: Upload,
  stored: Matching,
  { store, resource, work, run }: RunOptions,
): Promise<{ readonly matching: Matching; readonly found: FoundInFile } | undefined> {
  const { imports } = store
  const { matching, asked } =
    work === 'checking'
      ? await examine(uploadedFile(imports, upload), resource, stored, store.defaults.currency)
      : { matching: stored, asked: [] }
  const { create, badCells } = stored
  const whole = { ...matching, create, badCells }
  const found = { ...nothingFound, asked }
  const isKept = await imports.findOut(upload.id, run.runner, JSON.stringify(whole), foundText(whole, found))
  return isKept ? { matching: whole, found } : undefined
}

function wavesOf(upload: Upload, matching: Matching, options: RunOptions): AsyncGenerator<Wave> {
  const { store, resource, work } = options
  const layout = layoutOf(resource)
  const reader = rowReader(
    namesRows(resource, matching) ? layout : { ...layout, oneOf: [] },
    matching.badCells === 'empty',
  )
  const file = rowFile(uploadedFile(store.imports, upload), matching)
  const waves = readWaves(file, { ...matching, after: upload.upto, atOnce: WAVES[work] }, reader)
  const { create, badCells } = matching
  return resolveNames(waves, resource, {
    ...options,
    ...{ create, badCells, dryRun: work === 'checking', importId: upload.id },
  })
}

/** Whether the rows have an id or a reference, or need none. */
const namesRows = (resource: Resource, { columns }: Matching): boolean =>
  resource.imports === 'together' ||
  columns.some(({ field }) => field !== null && layoutOf(resource).oneOf.includes(field))

const identified = (row: FileRow, { id }: Upload): FileRow => ({
  ...row,
  key: `${id}-${row.line}`,
})
