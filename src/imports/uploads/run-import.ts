import type { Resource } from '../../model/declaration/schema.ts'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import type { Person } from '../../model/nouns/user/person.ts'
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
import { lookKnown, saysWhich } from '../rows/look-known.ts'
import type { RowOptions } from '../rows/perform-row.ts'
import { type NamingOptions, resolveNames } from '../rows/resolve-names.ts'
import { laterTexts, unknownValues } from '../rows/unknown-values.ts'
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
  const { store, resource, work, run, isStopping, desk } = options
  const people = await store.accounts.users()
  const begun =
    upload.upto === 0
      ? await begin(upload, stored, people, options)
      : { matching: stored, found: readFound(upload.found), isAsking: false }
  if (begun === undefined) return 'stopped'
  const { matching, found } = begun
  if (begun.isAsking) return 'asking'
  const isNamed = namesRows(resource, matching)
  const isUnsaid = work === 'checking' && matching.format !== 'ndjson' && !saysWhich(resource, matching.columns)
  const groups = columnFaults(matching)
  let { looksKnown, creates } = found
  const foundNow = (): string =>
    foundText(matching, { ...found, looksKnown, creates, faults: joinedFaults(found.faults, groups.found()) })
  let result: RunResult = 'ended'
  const naming = { people, onCreated: () => void (work === 'checking' && creates++) }
  async function* untilStopped(): AsyncGenerator<Wave> {
    for await (const wave of wavesOf(upload, matching, naming, options)) {
      if (isStopping()) {
        result = 'stopped'
        return
      }
      groups.add(wave.emptied ?? [], true)
      if (isUnsaid) looksKnown += await lookKnown(desk, resource, wave.rows)
      // A row without id and reference is identified by its line: the file creates it once.
      yield isNamed ? wave : { ...wave, rows: wave.rows.map((row) => identified(row, upload)) }
    }
  }
  const progress = importWaves(untilStopped(), {
    ...options,
    dryRun: work === 'checking',
    later: laterTexts(matching.values),
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

/** How a file is read, what was found in it, and whether a person must answer before it can be imported. */
interface BegunRun {
  readonly matching: Matching
  readonly found: FoundInFile
  readonly isAsking: boolean
}

/** Finds out how the file is read, unless that was done by a check; undefined if another run has taken over. */
async function begin(
  upload: Upload,
  stored: Matching,
  people: readonly Person[],
  { store, resource, work, run }: RunOptions,
): Promise<BegunRun | undefined> {
  const { imports } = store
  const before = readFound(upload.found)
  const { matching, asked, values } =
    work === 'checking'
      ? await examine(uploadedFile(imports, upload), resource, stored, store.defaults.currency)
      : { matching: stored, asked: [], values: [] }
  const unknown = unknownValues(values, people)
  const found =
    work === 'checking'
      ? {
          ...nothingFound,
          asked,
          values: unknown.map(({ column, value, count, as }) => ({ column, value, count, as })),
        }
      : { ...before, asked: [], faults: [] }
  const isKept = await imports.findOut(upload.id, run.runner, JSON.stringify(matching), foundText(matching, found))
  const isAsking = asked.length > 0 || unknown.some(({ isNeeded, as }) => isNeeded && as === null)
  return isKept ? { matching, found, isAsking } : undefined
}

function wavesOf(
  upload: Upload,
  matching: Matching,
  naming: Pick<NamingOptions, 'people' | 'onCreated'>,
  options: RunOptions,
): AsyncGenerator<Wave> {
  const { store, resource, work } = options
  const { create, badCells, values, defaults, zone } = matching
  const layout = layoutOf(resource, store.defaults.currency, zone)
  const answers = { empties: badCells === 'empty', values, defaults }
  const reader = rowReader(namesRows(resource, matching) ? layout : { ...layout, oneOf: [] }, answers)
  const file = rowFile(uploadedFile(store.imports, upload), matching)
  const waves = readWaves(file, { ...matching, after: upload.upto, atOnce: WAVES[work] }, reader)
  return resolveNames(waves, resource, {
    ...options,
    ...naming,
    ...{ create, badCells, dryRun: work === 'checking', importId: upload.id, later: laterTexts(values) },
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
