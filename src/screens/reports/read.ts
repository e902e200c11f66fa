import type { Call } from '../../http/contract/endpoint.ts'
import { dayIn } from '../../languages/formats.ts'
import { collectionNamed, collectionsOf } from '../../queries/collections.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Desk } from '../../store/port/desk.ts'
import { ask, inTurn } from '../parts/ask.ts'
import type { Screen } from '../parts/screen.ts'
import { untilChanged } from '../parts/until-changed.ts'
import { readReporting } from '../reporting/read.ts'
import type { Reporting } from '../reporting/reporting.ts'
import { sameDaysBefore, thisMonth } from './days.ts'
import { type Attainment, attainmentsOf, targets } from './declared/targets.ts'
import type { GroupAnswer, Question, Report, ReportFilter } from './report.ts'
import { reports } from './reports.ts'
import { targetFilter } from './target-parts.ts'
import { type ReportFigure, reportAddress, reportPage, reportsPage } from './view.ts'

/** The requested person and days. */
export interface AskedReport {
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly person?: string | undefined
  readonly pipeline?: string | undefined
}

export const reportNamed = (name: string): Report | undefined => reports.find((report) => report.name === name)

/** The request, with the default days if it has none. */
export function filterOf(
  { days }: Report,
  { from, until, person, pipeline }: AskedReport,
  call: Call,
  now: string,
): ReportFilter {
  const { timeZone = 'UTC' } = call.reader
  const today = dayIn(now, timeZone)
  const usual = days?.usual(today) ?? { from: today, until: today }
  return {
    days: { from: from ?? usual.from, until: until ?? usual.until },
    person: person === 'me' ? (call.caller?.user ?? person) : namedIn(person, call),
    pipeline,
    timeZone,
  }
}

/** The field of a page shows full names. */
const namedIn = (person: string | undefined, { representation, service }: Call): string | undefined =>
  (person !== undefined && representation === 'html' ? service.roster.meant(person) : undefined) ?? person

/** The answers to a report's questions, by their names. */
export const readAnswers = (report: Report, filter: ReportFilter, desk: Desk): Promise<Answers> =>
  answersTo(report.questions(filter), desk)

type Answers = Readonly<Record<string, GroupAnswer>>

async function answersTo(questions: Readonly<Record<string, Question>>, desk: Desk): Promise<Answers> {
  const answers = Object.entries(questions).map(
    async ([name, question]) => [name, await answerTo(desk, keyOf(question))] as const,
  )
  return Object.fromEntries(await Promise.all(answers))
}

/** The answers that the figure of a report needs. */
async function readFigure({ figure, ...report }: Report, filter: ReportFilter, desk: Desk): Promise<Answers> {
  const less: Readonly<Record<string, Question | undefined>> = figure.questions?.(filter) ?? {}
  const asked = Object.entries(report.questions(filter)).map(([name, all]) => [name, less[name] ?? all] as const)
  const answersOf = (names: readonly string[]): Promise<Answers> =>
    answersTo(Object.fromEntries(asked.filter(([name]) => names.includes(name))), desk)
  const { first } = figure
  const begun = first === undefined ? {} : await answersOf([first])
  if (first !== undefined && begun[first]?.length === 0) return Object.fromEntries(figure.of.map((name) => [name, []]))
  return { ...begun, ...(await answersOf(figure.of.filter((name) => name !== first))) }
}

/** The rows that a report computes from its answers; undefined if it computes none. */
export async function readRows(report: Report, filter: ReportFilter, answers: Answers, call: Call, now: string) {
  if (report.rows === undefined) return undefined
  const reporting = await readReporting(call, dayIn(now, call.reader.timeZone))
  return report.rows(answers, { ...filter, reporting, schema: call.desk.schema })
}

/** The answers for the figure of a report in the days before; undefined if it is not compared. */
async function readBefore(
  report: Report,
  filter: ReportFilter,
  today: string,
  desk: Desk,
): Promise<ReportFigure['before']> {
  if (!report.figure.isCompared) return undefined
  const days = sameDaysBefore(filter.days, today)
  return { days, answers: await readFigure(report, { ...filter, days }, desk) }
}

export async function showReport(
  report: Report,
  filter: ReportFilter,
  answers: Answers,
  call: Call,
  now: string,
): Promise<Screen> {
  const [context, before] = await Promise.all([
    contextOf(call, now),
    readBefore(report, filter, dayIn(now, call.reader.timeZone), call.desk),
  ])
  return () => reportPage({ ...context, report, answers, before, ...filter })
}

/** The signed-in reader's own target of this month; undefined without one. */
export async function readOwnAttainment(
  call: Call,
  reporting: Reporting,
  now: string,
): Promise<OwnAttainment | undefined> {
  const { addresses } = call.service
  const user = call.caller?.user ?? undefined
  if (user === undefined) return undefined
  const filter = filterOf(targets, { person: user }, call, now)
  const collection = collectionNamed(call.desk.schema, 'targets')
  const { items } = await ask(call.desk, collection, `${targetFilter(filter)}&maxpagesize=1`)
  if (items.length === 0) return undefined
  const answers = await readAnswers(targets, filter, call.desk)
  const [attainment] = attainmentsOf(answers as Readonly<Record<'targets' | 'won', GroupAnswer>>, {
    ...filter,
    reporting,
  })
  return attainment && { ...attainment, href: reportAddress(targets, { addresses }, filter) }
}

export interface OwnAttainment extends Attainment {
  /** The report of it. */
  readonly href: string
}

/** The context that all reports of a page share. */
async function contextOf(call: Call, now: string) {
  const { addresses } = call.service
  const { schema } = call.desk
  const today = dayIn(now, call.reader.timeZone)
  const [reporting, people] = await Promise.all([readReporting(call, today), peopleOf(call.desk, '')])
  return { schema, today, reporting, addresses, now, people }
}

/** The figure of each report: this month, if it is compared with the days before. */
export async function showReports(call: Call, pipeline: string | undefined): Promise<Screen> {
  const now = new Date().toISOString()
  const context = await contextOf(call, now)
  const shown = await Promise.all(
    reports.map(async (report) => {
      const days = report.figure.isCompared ? thisMonth : report.days
      const filter = filterOf({ ...report, ...(days && { days }) }, { pipeline }, call, now)
      const [answers, before] = await Promise.all([
        readFigure(report, filter, call.desk),
        readBefore(report, filter, context.today, call.desk),
      ])
      return { ...context, report, answers, before, ...filter }
    }),
  )
  return () => reportsPage(shown, { ...context, pipeline })
}

/** A query as a cache key. */
const keyOf = ({ collection, query, most = MOST }: Question): string => `${collection} ${most} ${query}`

const answerTo = untilChanged(
  async (desk: Desk, key: string): Promise<GroupAnswer> => {
    const [collection = '', most, query = ''] = key.split(' ')
    return inTurn(desk, () => readGroups(desk, collection, query, Number(most)))
  },
  { isHeardOf: true },
)

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

/** The users, each with the full name if there is one. */
const peopleOf = untilChanged(async (desk: Desk): Promise<ReadonlyMap<string, string>> => {
  const { items } = await ask(desk, collectionsOf(desk.schema).people, 'maxpagesize=1000')
  const people = items.map((json) => JSON.parse(json) as { readonly name: string; readonly fullName: string | null })
  return new Map(people.map(({ name, fullName }) => [name, fullName ?? name]))
})
