import { extname } from 'node:path'
import type { Settings } from '../config.ts'
import { project } from '../http/respond/project.ts'
import type { Collection } from '../queries/collection.ts'
import { collections } from '../queries/collections.ts'
import { readParameters } from '../queries/parameters.ts'
import { parseQuery } from '../queries/parse-query.ts'
import { pagingNames } from '../queries/place.ts'
import type { Query } from '../queries/query.ts'
import { csvHeader, csvRows } from '../representations/csv.ts'
import { itemsOf, readDocument } from '../representations/read-document.ts'
import { openStore, requireDatabase } from '../store/open.ts'
import type { ExportOptions, exportable, exportFormats } from './commands/export.ts'
import { exitCodes, Failure } from './failure.ts'
import { grouped, showProgress } from './progress.ts'
import { keepNurserySmall } from './small-nursery.ts'
import { openTarget } from './target.ts'

type Format = (typeof exportFormats)[number]

/** Exports a collection; returns the exit code. */
export async function exportCollection(
  settings: Settings,
  what: (typeof exportable)[number],
  file: string | undefined,
  options: ExportOptions,
): Promise<number> {
  keepNurserySmall()
  requireDatabase(settings)
  const collection = collections[what]
  const query = readFilter(collection, options.filter ?? '')
  const format = options.format ?? formatOf(file)
  const target = await openTarget(file, options.force ?? false)
  const store = await openStore(settings, () => {})
  const progress = await showProgress('exporting', what)
  let count = 0
  try {
    const total = await totalOf(() => store.page(what, [], { ...query, count: true, size: 1 }))
    const write = writerOf(format, collection, query)
    await target.write(write.beginning)
    for await (const lines of store.stream(what, [], query)) {
      count += countLines(lines)
      await target.write(write.batch(lines))
      if (target.isFile) progress.update(count, total && Math.min(count / total, 1))
    }
    await target.keep()
  } finally {
    progress.stop()
    await target.close()
    await store.close()
  }
  if (file !== undefined) process.stdout.write(`exported ${grouped(count)} ${what} to ${file}\n`)
  return exitCodes.fine
}

/** Counts only for a visible progress bar: counting may take as long as part of the export. */
const totalOf = async (page: () => Promise<{ readonly total: number | undefined }>): Promise<number | undefined> =>
  process.stderr.isTTY ? (await page()).total : undefined

/** An export has every item, so paging parameters are refused. */
const ofPages: ReadonlySet<string> = new Set([...pagingNames, 'empty', 'format'])

function readFilter(collection: Collection, filter: string): Query {
  const raw = filter.replace(/^\?/, '')
  const paging = readParameters(raw).find((each) => 'name' in each && ofPages.has(each.name))
  if (paging !== undefined && 'name' in paging)
    throw new Failure(`--filter: ${paging.name} has no meaning in an export`)
  const parsed = parseQuery(collection, raw)
  if ('query' in parsed) return parsed.query
  throw new Failure(`--filter: ${parsed.faults.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ')}`)
}

function formatOf(file: string | undefined): Format {
  if (file === undefined || file === '-') return 'csv'
  const extension = extname(file).toLowerCase()
  if (extension === '.csv') return 'csv'
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson'
  throw new Failure(`say what ${file} is to be: --format csv or --format ndjson`)
}

interface Writer {
  readonly beginning: string
  batch(lines: Uint8Array): string | Uint8Array
}

function writerOf(format: Format, { fields }: Collection, query: Query): Writer {
  const shown = [...fields.values()].filter(({ hidden }) => !hidden).map(({ name }) => name)
  const columns = query.fields ?? shown
  if (format === 'csv') return { beginning: csvHeader(columns), batch: (lines) => csvRows(itemsIn(lines), columns) }
  const chosen = query.fields
  if (chosen === undefined) return { beginning: '', batch: (lines) => lines }
  const cut = (line: string): string => `${project(line, chosen)}\n`
  return { beginning: '', batch: (lines) => textsIn(lines).map(cut).join('') }
}

const textsIn = (lines: Uint8Array): readonly string[] => Buffer.from(lines).toString('utf8').trimEnd().split('\n')

const itemsIn = (lines: Uint8Array) => itemsOf(readDocument(`[${textsIn(lines).join()}]`))

function countLines(lines: Uint8Array): number {
  let count = 0
  for (let at = lines.indexOf(10); at !== -1; at = lines.indexOf(10, at + 1)) count++
  return count
}
