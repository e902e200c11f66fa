import type { Addresses } from '../../http/contract/addresses.ts'
import { dateText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Words } from '../../languages/text.ts'
import type { Schema } from '../../model/schema.ts'
import { fieldMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { choices, pageHead } from '../parts/page-head.ts'
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
export function reportsPage(addresses: Addresses): Markup {
  const entries = reports.map(({ name, title, about }) => {
    const link = html`<a href="${addresses.report(name)}">${title}</a>`
    return html`<li class="panel"><h2>${link}</h2><p>${about}</p></li>\n`
  })
  return html`${pageHead({ title: say('Reports') })}<ul class="report-list">${entries}</ul>
`
}

export function reportPage(page: ShownReport): Markup {
  const { report, addresses, days, reporting } = page
  const range = report.days && html` ${dateText(days.from)} – ${dateText(days.until)}.`
  const others = reports.map((each) => ({
    href: addressOf(each, page, { person: page.person }),
    text: each.title,
    isCurrent: each === report,
  }))
  const back = addressOf(report, page, page).slice(addresses.base.length)
  return html`${pageHead({ title: report.title, about: [report.about, range] })}
${choices(say('Reports'), 'chips', others, 'page')}${filterForm(page)}
${report.sums && reportingChoice({ reporting, apart: withoutRate(page), back, addresses })}
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
  const ranges = report.days?.choices(today).map(({ days: range, label: text }) => ({
    href: addressOf(report, page, { days: range, person }),
    text,
    isCurrent: range.from === days.from && range.until === days.until,
  }))
  const action = addresses.report(report.name)
  return html`<form class="filters" method="get" action="${action}" aria-label="${say('Filter')}">
${fields.map((field, at) => fieldMarkup(field, `filter-${at + 1}`))}
<p class="field"><button type="submit">${say('Show')}</button></p>
</form>
${ranges && choices(say('Days'), 'chips', ranges)}`
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
