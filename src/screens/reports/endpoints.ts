import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { noSuch, parameterProblem } from '../../http/contract/problems/problem.ts'
import { overview } from '../../http/contract/success.ts'
import { anybody } from '../../languages/reader.ts'
import { withQuery } from '../../values/address.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'
import { date } from '../../values/kinds/time.ts'
import { lazily } from '../../values/lazily.ts'
import { pipelineFaults } from '../stages/asked-pipeline.ts'

const reportList = lazily(() => import('./reports.ts'))
const reportViews = lazily(() => import('./read.ts'))
const reportPages = lazily(() => import('./view.ts'))

const LONGEST_NAME = 200

/** Reports: groups of the collections, for people. decisions/0050 */
export const reportEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/reports',
    role: 'reader',
    summary: 'The reports',
    offers: 'resource',
    parameters: ['pipeline'],
    describes: { group: 'Reports', answers: [overview('Reports', 'Every report.')] },
    handle: readReports,
  },
  {
    method: 'GET',
    path: '/reports/:report',
    role: 'reader',
    summary: 'A report',
    offers: 'resource',
    parameters: ['from', 'until', 'person', 'pipeline'],
    describes: {
      group: 'Reports',
      answers: [overview('Report', 'Its questions, each with its address and its groups.')],
      refuses: ['not-found', 'query-too-costly'],
      parameter: {
        description: 'The name of the report.',
        schema: { type: 'string', maxLength: LONGEST_NAME },
        example: 'won-and-lost',
      },
    },
    handle: readReport,
  },
]

async function readReports(call: Call): Promise<Answer> {
  const { addresses } = call.service
  const pipeline = call.parameters.get('pipeline') || undefined
  const faults = pipelineFaults(pipeline, call)
  if (faults.length > 0) return { problem: parameterProblem(faults) }
  const chosen = pipeline === undefined ? [] : [{ raw: `pipeline=${pipeline}` }]
  const { reports } = await reportList()
  const items = reports.map((report) => ({
    name: report.name,
    title: report.title(anybody),
    about: report.about(anybody),
    href: withQuery(addresses.report(report.name), chosen),
  }))
  const screen = call.representation === 'html' ? await (await reportViews()).showReports(call, pipeline) : undefined
  const json = JSON.stringify({ items, links: { self: withQuery(addresses.reports, chosen) } })
  return {
    status: 200,
    document: {
      title: 'Reports',
      kind: 'page',
      item: 'report',
      columns: ['name', 'title', 'about'],
      json,
      ...(screen && { screen }),
    },
  }
}

async function readReport(call: Call): Promise<Answer> {
  const { addresses } = call.service
  const { filterOf, readAnswers, readRows, reportNamed, showReport } = await reportViews()
  const { questionAddress } = await reportPages()
  const report = reportNamed(call.params.report ?? '')
  if (report === undefined) {
    return { problem: { code: 'not-found', detail: noSuch('report', call.params.report ?? '') } }
  }
  const sent = (name: string): string | undefined => call.parameters.get(name) || undefined
  const asked = { from: sent('from'), until: sent('until'), person: sent('person'), pipeline: sent('pipeline') }
  const now = new Date().toISOString()
  const filter = filterOf(report, asked, call, now)
  const faults: Fault[] = [
    ...(['from', 'until'] as const).flatMap((name) => {
      const read = date.read(filter.days[name])
      return 'fault' in read ? [{ ...read.fault, at: { parameter: name } }] : []
    }),
    ...((asked.person?.length ?? 0) > LONGEST_NAME
      ? [{ ...reason('too-long', { max: LONGEST_NAME }), at: { parameter: 'person' } }]
      : []),
  ]
  faults.push(...pipelineFaults(asked.pipeline, call))
  if (faults.length === 0) faults.push(...orderFaults(filter.days))
  if (faults.length > 0) return { problem: parameterProblem(faults) }
  const answers = await readAnswers(report, filter, call.desk)
  const questions = Object.entries(report.questions(filter)).map(([name, question]) => ({
    name,
    title: question.title(anybody),
    href: questionAddress(question, call.schema, addresses),
    items: answers[name] ?? [],
  }))
  const rows = await readRows(report, filter, answers, call, now)
  const screen = call.representation === 'html' ? await showReport(report, filter, answers, call, now) : undefined
  const json = JSON.stringify({
    name: report.name,
    ...(report.days && filter.days),
    person: filter.person ?? null,
    pipeline: filter.pipeline ?? null,
    questions,
    ...(rows && { rows }),
    links: { self: addresses.report(report.name), collection: addresses.reports },
  })
  return {
    status: 200,
    document: { title: report.title, kind: 'resource', item: 'report', json, ...(screen && { screen }) },
  }
}

const MOST_YEARS = 10

function orderFaults({ from, until }: { readonly from: string; readonly until: string }): readonly Fault[] {
  if (until < from) return [{ ...reason('too-early', { min: from, wants: 'from' }), at: { parameter: 'until' } }]
  if (Number(until.slice(0, 4)) - Number(from.slice(0, 4)) > MOST_YEARS)
    return [{ ...reason('too-early', { years: MOST_YEARS, until }), at: { parameter: 'from' } }]
  return []
}
