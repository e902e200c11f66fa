import { extname } from 'node:path'
import type { Settings } from '../../config.ts'
import type { Collection } from '../../queries/collection.ts'
import { collectionNamed } from '../../queries/collections.ts'
import { listedBy } from '../../queries/members/groups.ts'
import { askerOf, withCaller } from '../../queries/parse/caller.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import type { Query } from '../../queries/query.ts'
import { readQueryString } from '../../queries/query-string.ts'
import { misplaced, pagingNames } from '../../queries/settings.ts'
import { label } from '../../representations/html/label.ts'
import type { WholeResult, Written } from '../../representations/representation.ts'
import { carrying, wholeFormats } from '../../representations/representations.ts'
import { openStore, requireDatabase } from '../../store/open.ts'
import { SERVICE } from '../../store/port/desk.ts'
import type { Store } from '../../store/port/store.ts'
import { reason } from '../../values/faults/fault.ts'
import { exitCodes, Failure, tellFaults } from '../failure.ts'
import { grouped, showProgress } from '../progress.ts'
import { openTarget } from '../target.ts'

interface ExportOptions {
  readonly format?: string
  readonly filter?: string
  readonly force?: boolean
}

/** Exports a collection; returns the exit code. */
export async function exportCollection(
  settings: Settings,
  what: string,
  file: string | undefined,
  options: ExportOptions,
): Promise<number> {
  requireDatabase(settings)
  const store = await openStore(settings, () => {})
  try {
    return await exportFrom(store, settings, what, file, options)
  } finally {
    await store.close()
  }
}

async function exportFrom(
  store: Store,
  settings: Settings,
  what: string,
  file: string | undefined,
  options: ExportOptions,
): Promise<number> {
  const collection = collectionNamed(store.schemas.current, what)
  const query = readFilter(collection, options.filter ?? '')
  const format = options.format ?? formatOf(file, collection)
  const whole = wholeIn(format, collection)
  const target = await openTarget(settings, file, options.force ?? false)
  const desk = store.as(SERVICE)
  const progress = await showProgress('exporting', what)
  let count = 0
  try {
    const total = await totalOf(() => desk.page(collection, [], { ...query, count: true, size: 1 }))
    const write = writerOf(whole, collection, query)
    await target.write(write.beginning)
    for await (const lines of desk.stream(collection, [], query)) {
      count += countLines(lines)
      await target.write(write.batch(lines))
      if (target.isFile) progress.update(count, total && Math.min(count / total, 1))
    }
    await target.write(write.end())
    await target.keep()
  } finally {
    progress.stop()
    await target.close()
  }
  const things = count === 1 ? collection.item : what
  if (target.isFile) process.stdout.write(`exported ${grouped(count)} ${things} to ${file}\n`)
  return exitCodes.fine
}

/** Counts only for a visible progress bar: counting may take a considerable part of the time of the export. */
const totalOf = async (page: () => Promise<{ readonly total: number | undefined }>): Promise<number | undefined> =>
  process.stderr.isTTY ? (await page()).total : undefined

/** An export has every item, so paging parameters are refused. */
const notForExports = pagingNames.union(new Set(['empty', 'format']))

function readFilter(collection: Collection, filter: string): Query {
  const sent = readQueryString(filter.replace(/^\?/, ''))
  const refused = misplaced(sent, notForExports, reason('meaningless', { wants: 'export' }))
  const parsed =
    refused.length > 0
      ? { faults: refused }
      : withCaller(parseQuery(collection, sent), askerOf(collection.schema, null))
  if ('query' in parsed) return parsed.query
  throw new Failure(`--filter: ${tellFaults(parsed.faults)}`)
}

function formatOf(file: string | undefined, collection: Collection): string {
  if (file === undefined || file === '-') return 'csv'
  const extension = extname(file).slice(1).toLowerCase()
  const format = extension === 'jsonl' ? 'ndjson' : extension
  if (wholeFormats.includes(format)) return format
  const known = carrying('page', collection).flatMap(({ name, whole }) => (whole ? [`--format ${name}`] : []))
  throw new Failure(`choose a format for ${file}: ${known.join(' or ')}`)
}

function wholeIn(format: string, collection: Collection): WholeResult {
  const whole = carrying('page', collection).find(({ name }) => name === format)?.whole
  if (whole === undefined) throw new Failure(`${collection.name} cannot be exported as ${format}`)
  return whole
}

interface Writer {
  readonly beginning: Written
  batch(lines: Uint8Array): Written
  end(): Written
}

function writerOf(whole: WholeResult, collection: Collection, query: Query): Writer {
  const list = listedBy(collection, query)
  const { name } = collection
  const chosen = query.fields !== undefined
  const columns = query.fields ?? list.columns
  const writer = whole.begin({ name, title: label(name), address: `/${name}`, columns, chosen, items: list })
  const beginning = writer.beginning()
  const isAsStored = whole.isLines && !chosen
  return {
    beginning,
    batch: (lines) => (isAsStored ? lines : writer.batch(textsIn(lines))),
    end: () => writer.end(),
  }
}

const textsIn = (lines: Uint8Array): readonly string[] => bufferOf(lines).toString('utf8').trimEnd().split('\n')

/** The same bytes: searching a buffer takes a third of the time. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

function countLines(written: Uint8Array): number {
  const lines = bufferOf(written)
  let count = 0
  for (let at = lines.indexOf(10); at !== -1; at = lines.indexOf(10, at + 1)) count++
  return count
}
