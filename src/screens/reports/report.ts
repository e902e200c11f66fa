import type { Addresses } from '../../http/contract/addresses.ts'
import type { Text } from '../../languages/text.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { CollectionName } from '../../queries/collection.ts'
import type { Hole, Markup } from '../../representations/markup/markup.ts'
import type { DataObject } from '../../representations/read-document.ts'
import type { Reporting } from '../reporting/reporting.ts'
import type { DayRange, Days } from './days.ts'

/** A report: its queries for groups, and the view of their results. decisions/0050 */
export interface Report<Name extends string = string> {
  readonly name: string
  readonly title: Text
  readonly about: Text
  /** The default days; undefined for a report about the present. */
  readonly days?: DayRange
  /** Whether it adds up amounts, so that the currency of the sums can be chosen. */
  readonly sums?: boolean
  questions(asked: ReportFilter): Readonly<Record<Name, Question>>
  /** Rows that follow from the answers, for programs as for the page. */
  rows?(answers: Readonly<Record<Name, GroupAnswer>>, about: ReportContext): readonly DataObject[]
  show(answers: Readonly<Record<Name, GroupAnswer>>, page: ReportPage): Markup
  /** The number that stands for the report, and whether that of the days before is shown too. */
  readonly figure: {
    /** The queries that it needs. */
    readonly of: readonly NoInfer<Name>[]
    /** The first of them to be asked: without an answer to it, no other is. */
    readonly first?: NoInfer<Name>
    /** Those with fewer groups than the page needs, which are asked instead where only the figure is shown. */
    questions?(asked: ReportFilter): { readonly [name in NoInfer<Name>]?: Question }
    readonly isCompared?: boolean
    show(answers: Readonly<Record<Name, GroupAnswer>>, page: ReportPage): Figure
  }
}

export interface Figure {
  readonly text: Text
  readonly value: Hole
  /** For comparisons. */
  readonly amount: number
  /** Whether it is a part of all in percent: shares differ by points. */
  readonly isShare?: boolean
  /** Whether less of it is better. */
  readonly isLessBetter?: boolean
}

/** A report with these queries. */
export const defineReport = <Name extends string>(report: Report<Name>): Report => report as Report

/** A query for groups. */
export interface Question {
  readonly title: Text
  readonly collection: CollectionName
  readonly query: string
  /** The number of groups that a page needs; all of them, if it adds them up. */
  readonly most?: number
}

/** Groups, in the order of the query. */
export type GroupAnswer = readonly DataObject[]

export interface ReportFilter {
  /** Both included. */
  readonly days: Days
  /** The owner of the deals, or the actor. */
  readonly person: string | undefined
  /** Whose deals are counted; undefined for all. */
  readonly pipeline: string | undefined
  /** The reader's, or UTC. */
  readonly timeZone: string
}

/** The context of the answers. */
export interface ReportContext extends ReportFilter {
  readonly reporting: Reporting
  readonly schema: Schema
}

/** The context of a report's page. */
export interface ReportPage extends ReportContext {
  readonly addresses: Addresses
  readonly now: string
}

/** A filter of a query, left out if it is empty. */
export const also = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`
