import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { type Text, wordsFor } from '../../languages/text.ts'
import { bySchema } from '../../model/by-schema.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { escapeHtml } from '../../representations/html/markup.ts'
import { memoize } from '../../values/memoize.ts'
import type { Head } from '../filters/sorting.ts'
import { dueMark, stageMark, statusMarks } from '../parts/marks.ts'
import { agoMarkup } from '../parts/moment.ts'
import { decimal } from '../parts/money.ts'
import type { Amount, ShownDeal } from '../parts/shown.ts'
import { valueText } from '../parts/value-text.ts'
import type { Addresses } from '../parts/visit.ts'

/** What the cells of a deal are written with. */
export interface DealRow {
  readonly customers: ReadonlyMap<number, string>
  /** The reader's day. */
  readonly today: string
  readonly reader: Reader
  /** The time in milliseconds. */
  readonly time: number
  readonly addresses: Addresses
}

export interface DealColumn {
  readonly head: Head
  readonly isNumber: boolean
  /** Written as a string, because a page has hundreds of cells. It escapes whatever a client wrote. */
  readonly write: (deal: ShownDeal, row: DealRow) => string
}

/** The columns besides the name, which every table has. */
export const usualColumns: readonly string[] = [
  ...['customerId', 'price', 'stage', 'status', 'completionDate', 'owner', 'updatedAt'],
]

/** Those that can be chosen. */
export const dealColumnNames = bySchema(({ names }: Resource): readonly string[] =>
  names.filter((field) => field !== 'id' && field !== 'name'),
)

/** The columns of some fields; of `undefined` the usual ones without some, of which narrow screens show a few. */
export const dealColumns = (
  resource: Resource,
  fields: readonly string[] | undefined,
  without: readonly string[] = [],
): readonly DealColumn[] =>
  (fields ?? usualColumns.filter((field) => !without.includes(field))).flatMap((field) =>
    dealColumnNames(resource).includes(field) ? columnOf(resource, field, fields === undefined) : [],
  )

const columnOf = (resource: Resource, field: string, mayHide: boolean): DealColumn =>
  columns(resource)(`${field} ${mayHide}`, field, mayHide)

const columns = bySchema((resource: Resource) =>
  memoize((_key, field: string, mayHide: boolean): DealColumn => {
    const isAmount = resource.kinds[field]?.name === 'amount'
    const isWide = mayHide && field !== 'price' && field !== 'status'
    const kind = isAmount ? (isWide ? 'number wide' : 'number') : isWide ? 'wide' : undefined
    return {
      head: {
        text: columnText(field),
        ...(field !== 'customerId' && { field }),
        ...(kind && { kind }),
        ...operationThatSets(resource, field),
      },
      isNumber: isAmount,
      write:
        cells[field] ??
        (isAmount
          ? amountIn(field)
          : (deal, { reader }) => escapeHtml(wordsFor(valueText(resource, field, { ...deal }), reader))),
    }
  }),
)

export const nameHead = bySchema(
  (resource: Resource): Head => ({ text: say('Deal'), field: 'name', ...operationThatSets(resource, 'name') }),
)

const headTexts: { readonly [field: string]: Text } = {
  customerId: say('Customer'),
  completionDate: say('Completion'),
  updatedAt: say('Changed'),
  createdAt: say('Created'),
}

/** What a column is called. */
export const columnText = (field: string): Text => headTexts[field] ?? say(label(field))

/** The operation that pages offer in the cells of a field. */
function operationThatSets({ operations }: Resource, field: string): Pick<Head, 'operation'> {
  const operation = operations.find(
    ({ sets = {}, marks }) => marks === undefined && Object.values(sets).includes(field),
  )
  return operation === undefined ? {} : { operation: operation.name }
}

const amountIn =
  (field: string): DealColumn['write'] =>
  (deal, { reader }) =>
    `${decimal(deal[field as 'price'] as Amount, deal.currency)(reader)} <small>${escapeHtml(deal.currency)}</small>`

const cells: { readonly [field: string]: DealColumn['write'] } = {
  customerId: ({ customerId }, { customers, addresses }) =>
    customerId === null ? '' : link(addresses.customer(customerId), customers.get(customerId) ?? `#${customerId}`),
  stage: ({ stage }, { reader }) => stageMark(stage).for(reader),
  status: (deal, { reader }) => statusMarks(deal).for(reader),
  completionDate: (deal, { today, reader }) => dueMark(deal, today)?.for(reader) ?? '',
  owner: ({ owner }, { addresses }) => (owner === null ? '' : link(addresses.person(owner), owner)),
  updatedAt: ({ updatedAt }, { time, reader }) => agoMarkup(updatedAt, time).for(reader),
  createdAt: ({ createdAt }, { time, reader }) => agoMarkup(createdAt, time).for(reader),
}

export const link = (address: string, text: string): string =>
  `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`
