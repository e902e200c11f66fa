import { say } from '../../../languages/say.ts'
import { type Hole, html, type Markup } from '../../../representations/markup/markup.ts'
import { personLink } from '../../parts/person.ts'
import { type Days, dateWithin } from '../days.ts'
import { also, type ReportFilter, type ReportPage } from '../report.ts'
import type { ReportRow } from '../report-table.ts'

// Shared by the reports of deals.

/** A deal is won on its completion day. */
export const wonWithin = (days: Days, { person, pipeline }: DealsOf): string =>
  `status=completed&${dateWithin('completedOn', days)}${also('owner', person)}${also('pipeline', pipeline)}`

/** Whose deals, and of which pipeline. */
export type DealsOf = Partial<Pick<ReportFilter, 'person' | 'pipeline'>>

/** A number that links to its deals. */
export const dealsLink = (text: Hole, query: string, { addresses }: Pick<ReportPage, 'addresses'>): Markup =>
  html`<a href="${addresses.deals}?${query}">${text}</a>`

export const ownerFilter = (owner: string | null): string =>
  owner === null ? 'owner.null=true' : `owner=${encodeURIComponent(owner)}`

/** Somebody whose deals they are; `ownsDeals` if there are any. */
export const personLabel = (person: string | null, { addresses }: ReportPage, ownsDeals = true): Hole =>
  person === null ? say('Nobody') : personLink(person, addresses, ownsDeals)

const MOST_ROWS = 50

/** As many rows as people read; the files have all of them. */
export const shortened = (rows: readonly ReportRow[], show: (rows: readonly ReportRow[]) => Markup): Markup =>
  html`${show(rows.slice(0, MOST_ROWS))}${
    rows.length > MOST_ROWS &&
    html`<p class="quiet">${say('{count} more rows are in the files below.', { count: rows.length - MOST_ROWS })}</p>`
  }`
