import type { Addresses } from '../../http/contract/addresses.ts'
import { daysText, percentText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Words } from '../../languages/text.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { FormField } from '../../representations/document.ts'
import { fieldMarkup } from '../../representations/html/form.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { barRows } from '../charts/bar-rows.ts'
import { choices, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { reportingChoice, sumMarkup } from '../reporting/view.ts'
import { pipelineLinks } from '../stages/pipeline-links.ts'
import { isAt, pipelineChoices, stageMark, stagesIn } from '../stages/stages.ts'
import type { Days } from './days.ts'
import type { Figure, GroupAnswer, Question, Report, ReportPage } from './report.ts'
import { reports } from './reports.ts'
import { tally, worthOf } from './tally.ts'

/** A report with its answers, and those of the days before for its figure. */
export interface ReportFigure extends ReportPage {
  readonly report: Report
  readonly answers: Readonly<Record<string, GroupAnswer>>
  readonly before: { readonly days: Days; readonly answers: Readonly<Record<string, GroupAnswer>> } | undefined
}

interface ShownReport extends ReportFigure {
  readonly today: string
  /** The users to choose from, with their names. */
  readonly people: ReadonlyMap<string, string>
}

/** Every report with its figure. */
export function reportsPage(
  shown: readonly ReportFigure[],
  { schema, addresses, pipeline }: Pick<ReportPage, 'schema' | 'addresses' | 'pipeline'>,
): Markup {
  const entries = shown.map((each) => {
    const { report } = each
    const link = html`<a href="${reportAddress(report, each, each)}">${report.title}</a>`
    return html`<li class="panel"><h2>${link}</h2>${figureMarkup(each)}<p class="quiet">${report.about}</p></li>\n`
  })
  const beside = pipelineLinks(schema, pipeline, (filter) => withQuery(addresses.reports, filter))
  return html`${pageHead({ title: say('Reports'), beside })}${shown.map(stageChart)}<ul class="report-list">${entries}</ul>
`
}

/** The open deals by stage, from the answers of the report about them. */
function stageChart({ report, answers, schema, pipeline, reporting, addresses }: ReportFigure): Markup | undefined {
  if (report.name !== 'pipeline') return undefined
  const { open = [] } = answers
  const all = tally(open, reporting)
  const rows = stagesIn(schema, pipeline).map((stage) => {
    const { count, sum } = tally(open.filter(isAt(stage)), reporting)
    const deals = html`<a href="${addresses.deals}?status=open&${stage.query}">${say('{count} deals', { count })}</a>`
    return {
      label: stageMark(stage, schema, pipeline),
      value: worthOf({ sum }),
      text: sumMarkup(sum, reporting),
      note: deals,
    }
  })
  const caption = html`${sumMarkup(all.sum, reporting)} ${say('in {count} open deals', { count: all.count })}`
  const heads = [say('Stage'), say('Value'), say('Deals')] as const
  return panel('stages', say('Pipeline'), barRows(caption, heads, rows))
}

/** The number that stands for a report, with its days and those before. */
function figureMarkup(page: ReportFigure): Markup {
  const { report, answers, before, days } = page
  const figure = report.figure.show(answers, page)
  const now = report.days && html`<span class="quiet">${daysText(days.from, days.until)}</span>`
  return html`<p><span class="big">${figure.value}</span> ${figure.text} ${now}</p>${before && beforeMarkup(figure, before, page)}
`
}

/** As many days before, the change since, and whether it is for the better. */
function beforeMarkup(
  { amount, isShare, isLessBetter = false }: Figure,
  { days, answers }: NonNullable<ReportFigure['before']>,
  page: ReportFigure,
): Markup {
  const earlier = page.report.figure.show(answers, { ...page, days })
  const difference = isShare ? amount - earlier.amount : Math.round((amount / earlier.amount - 1) * 100)
  const size = Math.abs(difference)
  const told = isShare ? say('{count} points', { count: size }) : percentText(size)
  const isBetter = difference > 0 !== isLessBetter
  const sign = difference > 0 ? 'rise' : 'fall'
  const change =
    earlier.amount > 0 &&
    size > 0 &&
    html`<b class="${isBetter ? 'better' : 'worse'}" data-icon="${sign}"><span class="unseen">${difference > 0 ? '+' : '−'}</span> ${told}</b> `
  const then = phrase('{about}: {what}', { about: html`${daysText(days.from, days.until)}`, what: earlier.value })
  return html`<p class="quiet">${change}${then}</p>`
}

export function reportPage(page: ShownReport): Markup {
  const { report, addresses, days, reporting } = page
  const range = report.days && html` ${daysText(days.from, days.until)}.`
  const others = reports.map((each) => ({
    href: reportAddress(each, page, { person: page.person, pipeline: page.pipeline }),
    text: each.title,
    isCurrent: each === report,
  }))
  const back = reportAddress(report, page, page).slice(addresses.base.length)
  return html`${pageHead({ title: report.title, about: [report.about, range] })}
${choices(say('Reports'), 'tabs', others, 'page')}${filterForm(page)}
${report.sums && reportingChoice({ reporting, apart: withoutRate(page), back, addresses })}
<section class="panel" aria-label="${say('In all')}">${figureMarkup(page)}</section>
${report.show(page.answers, page)}
${files(report, page)}`
}

/** The report with other days or another person. */
export function reportAddress(
  report: Report,
  { addresses }: Pick<ReportPage, 'addresses'>,
  { days, person, pipeline }: Partial<Pick<ReportPage, 'days' | 'person' | 'pipeline'>>,
): string {
  const query = new URLSearchParams({
    ...(report.days && days && { from: days.from, until: days.until }),
    ...(person !== undefined && { person }),
    ...(pipeline !== undefined && { pipeline }),
  }).toString()
  return `${addresses.report(report.name)}${query && `?${query}`}`
}

function filterForm(page: ShownReport): Markup {
  const { report, days, person, pipeline, today, addresses, schema } = page
  const pipelines = pipelineChoices(schema)
  const date = { type: 'string', format: 'date' }
  const fields = [
    ...(report.days
      ? [
          { name: 'from', label: say('From'), schema: date, value: days.from },
          { name: 'until', label: say('Until'), schema: date, value: days.until },
        ]
      : []),
    {
      name: 'person',
      label: say('Person'),
      schema: { type: 'string', maxLength: 200 },
      ...peopleChoices(page),
      ...(person !== undefined && { value: person }),
    },
    ...(pipelines.length === 0
      ? []
      : [
          {
            name: 'pipeline',
            label: say('Pipeline'),
            schema: { type: 'string', maxLength: 200 },
            ...{ choices: pipelines, nothing: say('All|pipelines') },
            ...(pipeline !== undefined && { value: pipeline }),
          },
        ]),
  ]
  const ranges = report.days?.choices(today).map(({ days: range, label: text }) => ({
    href: reportAddress(report, page, { days: range, person, pipeline }),
    text,
    isCurrent: range.from === days.from && range.until === days.until,
  }))
  const action = addresses.report(report.name)
  return html`<form class="filters" method="get" action="${action}" aria-label="${say('Filter')}">
${fields.map((field, at) => fieldMarkup(field, `filter-${at + 1}`))}
<p class="field"><button type="submit">${say('Show')}</button></p>
</form>
${ranges && choices(say('Days'), 'switch', ranges)}`
}

/** A choice of the users; a service without users, or with very many, has a field for the name. */
function peopleChoices({ people, person }: ShownReport): Partial<FormField> {
  if (people.size === 0 || people.size > MOST_CHOICES) return { namesUser: true }
  const others = person === undefined || people.has(person) ? [] : [{ value: person, text: person }]
  const known = [...people].map(([value, text]) => ({ value, text })).toSorted((a, b) => (a.text < b.text ? -1 : 1))
  return { choices: [...known, ...others], nothing: say('Everyone') }
}

const MOST_CHOICES = 200

/** The currencies of the answers that have no rate. */
const withoutRate = ({ answers, reporting }: ShownReport): ReadonlySet<string> =>
  new Set(
    Object.values(answers)
      .flat()
      .flatMap(({ currency }) =>
        typeof currency === 'string' && reporting.convert(0n, currency) === undefined ? [currency] : [],
      ),
  )

/** The same numbers for programs and spreadsheets. */
function files(report: Report, page: ShownReport): Markup {
  const questions = Object.values(report.questions(page))
  const link = (question: Question, suffix: string, text: Words): Markup =>
    html`<a href="${questionAddress(question, page.schema, page.addresses, suffix)}">${text}</a>`
  return html`<section class="panel"><h2>${say('As files')}</h2><ul>${questions.map(
    (question) =>
      html`<li>${phrase('{what}: {files}', {
        what: question.title,
        files: html`${link(question, '.csv', 'CSV')}, ${link(question, '.xlsx', say('Excel'))}`,
      })}</li>`,
  )}</ul></section>
`
}

/** The address of a query. */
export function questionAddress(
  { collection, query }: Question,
  { resources }: Schema,
  { base }: Pick<Addresses, 'base'>,
  suffix = '',
): string {
  const path = resources.find(({ plural }) => plural === collection)?.path ?? `/${collection}`
  return `${base}${path}${suffix}?${query}`
}
