import type { Call } from '../../http/contract/endpoint.ts'
import { dayIn } from '../../languages/formats.ts'
import { collectionNamed, collectionsOf } from '../../queries/collections.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Desk } from '../../store/port/desk.ts'
import { adaptiveCache } from '../parts/adaptive-cache.ts'
import { ask, inTurn } from '../parts/ask.ts'
import type { Screen } from '../parts/screen.ts'
import { readReporting } from '../reporting/read.ts'
import type { GroupAnswer, Question, Report, ReportFilter } from './report.ts'
import { reports } from './reports.ts'
import { reportPage, reportsPage } from './view.ts'

/** The requested person and days. */
export interface AskedReport {
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly person?: string | undefined
}

export const reportNamed = (name: string): Report | undefined => reports.find((report) => report.name === name)

/** The request, with the default days if it has none. */
export function filterOf(
  { days }: Report,
  { from, until, person }: AskedReport,
  call: Call,
  now: string,
): ReportFilter {
  const { timeZone = 'UTC' } = call.reader
  const today = dayIn(now, timeZone)
  const usual = days?.usual(today) ?? { from: today, until: today }
  return {
    days: { from: from ?? usual.from, until: until ?? usual.until },
    person: person === 'me' ? (call.caller?.user ?? person) : person,
    timeZone,
  }
}

/** The answers to a report's questions, by their names. */
export async function readAnswers(
  report: Report,
  filter: ReportFilter,
  desk: Desk,
): Promise<Readonly<Record<string, GroupAnswer>>> {
  const answers = Object.entries(report.questions(filter)).map(
    async ([name, question]) => [name, await answerTo(desk, keyOf(question))] as const,
  )
  return Object.fromEntries(await Promise.all(answers))
}

export async function showReport(
  report: Report,
  filter: ReportFilter,
  answers: Readonly<Record<string, GroupAnswer>>,
  call: Call,
  now: string,
): Promise<Screen> {
  const { addresses } = call.service
  const today = dayIn(now, call.reader.timeZone)
  const [reporting, names] = await Promise.all([readReporting(call, today), namesOf(call.desk, '')])
  const nameOf = (person: string): string => names.get(person) ?? person
  return () =>
    reportPage({ schema: call.desk.schema, report, answers, today, ...filter, reporting, addresses, now, nameOf })
}

export const showReports =
  ({ service }: Call): Screen =>
  () =>
    reportsPage(service.addresses)

/** A query as a cache key. */
const keyOf = ({ collection, query, most = MOST }: Question): string => `${collection} ${most} ${query}`

const answerTo = adaptiveCache(async (desk: Desk, key: string): Promise<GroupAnswer> => {
  const [collection = '', most, query = ''] = key.split(' ')
  return inTurn(desk, () => readGroups(desk, collection, query, Number(most)))
})

/** Beyond that a page would add up too few; queries have a group for each stage, person, month and currency. */
const MOST = 20_000

async function readGroups(desk: Desk, name: string, query: string, most: number): Promise<GroupAnswer> {
  const collection = collectionNamed(desk.schema, name)
  const parsed = parseQuery(collection, query)
  if ('faults' in parsed) throw new Error(`${query} is no query of ${name}`)
  const groups: DataObject[] = []
  const decoder = new TextDecoder()
  for await (const lines of desk.stream(collection, [], parsed.query)) {
    for (const line of decoder.decode(lines).split('\n')) {
      if (line !== '') groups.push(readDocument(line) as DataObject)
      if (groups.length === most) return groups
    }
  }
  return groups
}

/** The full names of people who have one. */
const namesOf = adaptiveCache(async (desk: Desk): Promise<ReadonlyMap<string, string>> => {
  const { items } = await ask(desk, collectionsOf(desk.schema).people, 'maxpagesize=1000')
  const people = items.map((json) => JSON.parse(json) as { readonly name: string; readonly fullName: string | null })
  return new Map(people.flatMap(({ name, fullName }) => (fullName === null ? [] : [[name, fullName] as const])))
})
