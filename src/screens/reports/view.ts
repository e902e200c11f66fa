import type { Addresses } from '../../http/contract/addresses.ts'
import { dateText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Words } from '../../languages/text.ts'
import type { Schema } from '../../model/schema.ts'
import { fieldMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { reportingChoice } from '../reporting/view.ts'
import type { Days } from './days.ts'
import type { GroupAnswer, Question, Report, ReportPage } from './report.ts'
import { reports } from './reports.ts'

interface ShownReport extends ReportPage {
  readonly schema: Schema
  readonly report: Report
  readonly answers: Readonly<Record<string, GroupAnswer>>
  readonly today: string
}

/** Every report, to choose from. */
export const reportsPage = (addresses: Addresses): Markup =>
  html`<header class="head"><div><h1>${say('Reports')}</h1></div></header>
<ul class="report-list">${reports.map(
    (report) =>
      html`<li class="panel"><h2><a href="${addresses.report(report.name)}">${report.title}</a></h2><p>${report.about}</p></li>\n`,
  )}</ul>
`

export function reportPage(page: ShownReport): Markup {
  const { report, addresses, days } = page
  return html`<header class="head"><div><h1>${report.title}</h1><p class="quiet">${report.about}${
    report.days && html` ${dateText(days.from)} – ${dateText(days.until)}.`
  }</p></div></header>
<nav aria-label="${say('Reports')}"><ul class="chips">${reports.map(
    (each) =>
      html`<li><a href="${addressOf(each, page, { person: page.person })}"${each === report && html` aria-current="page"`}>${each.title}</a></li>`,
  )}</ul></nav>
${filterForm(page)}
${
  report.sums &&
  reportingChoice({
    reporting: page.reporting,
    apart: withoutRate(page),
    back: addressOf(report, page, page).slice(addresses.base.length),
    addresses,
  })
}
${report.show(page.answers, page)}
${files(report, page)}`
}

/** The report with other days or another person. */
function addressOf(
  report: Report,
  { addresses }: Pick<ReportPage, 'addresses'>,
  { days, person }: { readonly days?: Days; readonly person: string | undefined },
): string {
  const query = new URLSearchParams({
    ...(report.days && days && { from: days.from, until: days.until }),
    ...(person !== undefined && { person }),
  }).toString()
  return `${addresses.report(report.name)}${query && `?${query}`}`
}

function filterForm(page: ShownReport): Markup {
  const { report, days, person, today, addresses } = page
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
      namesUser: true as const,
      ...(person !== undefined && { value: person }),
    },
  ]
  return html`<form class="filters" method="get" action="${addresses.report(report.name)}" aria-label="${say('Filter')}">
${fields.map((field, at) => fieldMarkup(field, `filter-${at + 1}`))}
<p class="field"><button type="submit">${say('Show')}</button></p>
</form>
${
  report.days &&
  html`<nav aria-label="${say('Days')}"><ul class="chips">${report.days.choices(today).map((choice) => {
    const isIt = choice.days.from === days.from && choice.days.until === days.until
    const href = addressOf(report, page, { days: choice.days, person })
    return html`<li><a href="${href}"${isIt && html` aria-current="true"`}>${choice.label}</a></li>`
  })}</ul></nav>`
}`
}

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
  return html`<section class="files panel"><h2>${say('As files')}</h2><ul>${questions.map(
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
