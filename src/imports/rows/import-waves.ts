import { setTimeout as pause } from 'node:timers/promises'
import type { Resource } from '../../model/declaration/schema.ts'
import { IF_NEW } from '../../model/intent/import-rows.ts'
import { addCounts, type ImportCounts, noRows } from '../../model/nouns/imports/import-counts.ts'
import type { ImportStep, WrittenRows } from '../../store/port/import-store.ts'
import type { Store } from '../../store/port/store.ts'
import type { Rejection, Wave } from '../read/read-waves.ts'
import { type RowOptions, type RowResult, readingOf } from './perform-row.ts'
import { countsOf, performWave, settled } from './perform-wave.ts'
import { togetherCheck, togetherWriter } from './write-together.ts'

/** Milliseconds after each wave, so that a running service gets its turn. */
const TURN = 4

export interface ImportProgress {
  /** Rows read so far. */
  readonly taken: number
  readonly kept: ImportCounts
  readonly batches: number
}

export interface WaveOptions extends RowOptions {
  readonly store: Store
  readonly resource: Resource
  /** The run that the waves are steps of; undefined if no progress is stored. */
  readonly run: Omit<ImportStep, 'upto' | 'position' | 'rejected'> | undefined
  /** Gets the wrong rows of each wave in order. If it throws, the import ends. */
  readonly onRejected: (rejected: readonly Rejection[], wave: Wave) => void | Promise<void>
  /** The findings in the file so far, after each wave. */
  readonly found?: () => string
  /** A wave with a wrong row is not written at all. */
  readonly strict?: boolean
  /** Whether a row that the store finds already done was done by this very import. */
  readonly isMade?: boolean
}

/** The result of a wave: its counts, or nothing if another run has taken over. */
interface WrittenWave {
  readonly counts: ImportCounts | undefined
  /** The failure that kept the store from deciding some of its rows. */
  readonly failure?: { readonly cause: unknown }
}

/**
 * Every import, in the browser and on the command line, checked or written: waves of rows, each written as its resource
 * declares. Ends early if another run has taken over. decisions/0016
 */
export async function* importWaves(waves: AsyncIterable<Wave>, options: WaveOptions): AsyncGenerator<ImportProgress> {
  const write = options.resource.imports === 'together' ? together(options) : rowByRow(options)
  let reached: ImportProgress = { taken: 0, kept: noRows, batches: 0 }
  try {
    for await (const wave of readAhead(waves)) {
      const { counts, failure } = await write(wave)
      if (counts === undefined) return
      const { taken, kept, batches } = reached
      reached = { taken: taken + wave.rows.length, kept: addCounts(kept, counts), batches: batches + 1 }
      yield reached
      if (failure !== undefined) throw failure.cause
      await pause(TURN)
    }
  } catch (cause) {
    // Announce what was stored before, if the store is available.
    await conclude(options, reached).catch(() => {})
    throw cause
  }
  await conclude(options, reached)
}

/** Reads the next wave while one is written. */
async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]()
  const read = (): Promise<IteratorResult<T>> => {
    const reading = items.next()
    // It may fail before anything awaits it.
    reading.catch(() => {})
    return reading
  }
  let next = read()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = read()
      yield value
    }
  } finally {
    // Not awaited: the writer of the source may take its time.
    items.return?.().catch(() => {})
  }
}

/** Rows that are written together are announced together. */
async function conclude(
  { store, resource, run, dryRun, actor, key }: WaveOptions,
  { kept }: ImportProgress,
): Promise<void> {
  if (run === undefined || dryRun) return
  if (resource.imports === 'together') await store.imports.conclude(resource, run, { actor, key })
  else if (kept.inserted + kept.updated > 0) await store.imports.tidy(resource)
}

type WriteWave = (wave: Wave) => Promise<WrittenWave>

function together(options: WaveOptions): WriteWave {
  const { store, resource, run, dryRun, strict = false, onRejected } = options
  const reading = { ...readingOf(options), self: options.desk.caller?.name }
  const write = togetherWriter(store, resource, reading)
  const check = togetherCheck(store, resource, reading)
  return async (wave) => {
    const rows = wave.rows.map(({ values, besides }) =>
      besides === undefined ? values : { ...values, [IF_NEW]: besides },
    )
    const rejectedBy = ({ refused }: WrittenRows): readonly Rejection[] => {
      const faultAt = new Map(refused.map(({ at, fault }) => [at, { faults: [fault] }]))
      return rejectedIn(
        wave,
        [...wave.rows.keys()].map((at) => faultAt.get(at)),
      )
    }
    if (dryRun || strict) {
      const checked = await check(rows)
      await onRejected(rejectedBy(checked), wave)
      if (dryRun) return keepStep(options, wave, rejectedBy(checked), checked.counts)
    }
    if (run === undefined) throw new Error('rows that are written together belong to a run')
    const written = await write(rows, stepOf(run, options, wave, wave.rejected))
    if (written !== undefined && !strict) await onRejected(rejectedBy(written), wave)
    return { counts: written?.counts }
  }
}

function rowByRow(options: WaveOptions): WriteWave {
  const { store, resource, run, onRejected, strict = false, dryRun, isMade = false } = options
  return async (wave) => {
    const perform = (dry: boolean) =>
      performWave(store, resource, wave.rows, { ...options, dryRun: dry, importId: run?.id })
    if (strict && !dryRun) await onRejected(rejectedIn(wave, settled(await perform(true))), wave)
    const results = await perform(dryRun)
    const done = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
    // Only this import creates under these keys: a run that died did so before it could count the row.
    const counts = countsOf(isMade ? done.map((each) => (typeof each === 'string' ? 'inserted' : each)) : done)
    const rejected = rejectedIn(wave, done)
    await onRejected(rejected, wave)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) return { counts, failure: { cause: failed.reason } }
    return keepStep(options, wave, rejected, counts)
  }
}

function rejectedIn({ rows, rejected }: Wave, results: readonly (RowResult | undefined)[]): readonly Rejection[] {
  const refused = rows.flatMap(({ line, row }, at) => {
    const result = results[at]
    return typeof result === 'object' ? [{ line, faults: result.faults, row: row() }] : []
  })
  return [...rejected, ...refused].toSorted((a, b) => a.line - b.line)
}

async function keepStep(
  options: WaveOptions,
  wave: Wave,
  rejected: readonly Rejection[],
  counts: ImportCounts,
): Promise<WrittenWave> {
  const { store, run } = options
  const isKept = run === undefined || (await store.imports.advance(stepOf(run, options, wave, rejected), counts))
  return { counts: isKept ? counts : undefined }
}

const stepOf = (
  run: NonNullable<WaveOptions['run']>,
  { found }: WaveOptions,
  { upto, position }: Wave,
  rejected: readonly Rejection[],
): ImportStep => ({ ...run, upto, position, rejected: rejected.length, found: found?.() })
