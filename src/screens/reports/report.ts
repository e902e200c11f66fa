import type { Text } from '../../languages/text.ts'
import type { Schema } from '../../model/schema.ts'
import type { CollectionName } from '../../queries/collection.ts'
import type { Markup } from '../../representations/html/markup.ts'
import type { DataObject } from '../../representations/read-document.ts'
import type { Addresses } from '../parts/visit.ts'
import type { Reporting } from '../reporting/reporting.ts'
import type { DayRange, Days } from './days.ts'

/** A report: what it asks of the groups of collections, and how people see the answers. decisions/0050 */
export interface Report<Name extends string = string> {
  readonly name: string
  readonly title: Text
  readonly about: Text
  /** The days that it is about, unless others are asked for; none where it is about what is so now. */
  readonly days?: DayRange
  /** Whether it adds up amounts, so that the currency of the sums is chosen. */
  readonly sums?: boolean
  questions(asked: ReportFilter): Readonly<Record<Name, Question>>
  show(answers: Readonly<Record<Name, GroupAnswer>>, page: ReportPage): Markup
}

/** A report that asks these questions. */
export const defineReport = <Name extends string>(report: Report<Name>): Report => report as Report

/** A query for groups. */
export interface Question {
  readonly title: Text
  readonly collection: CollectionName
  readonly query: string
  /** How many groups a page needs; all of them, where it adds them up. */
  readonly most?: number
}

/** Groups, in the order of the question. */
export type GroupAnswer = readonly DataObject[]

export interface ReportFilter {
  /** Both included. */
  readonly days: Days
  /** The owner of the deals, or who did something. */
  readonly person: string | undefined
  /** The reader's, or UTC. */
  readonly timeZone: string
}

/** What a report knows of the page that shows it. */
export interface ReportPage extends ReportFilter {
  readonly reporting: Reporting
  readonly schema: Schema
  readonly addresses: Addresses
  readonly now: string
  /** Names a person as others know them. */
  readonly nameOf: (person: string) => string
}

/** A filter of a query, left out where it says nothing. */
export const also = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`
