import type { Addresses } from '../../http/contract/addresses.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import type { Reader } from '../../languages/reader.ts'
import type { Text } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Parameter } from '../../queries/query-string.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import type { Desk } from '../../store/port/desk.ts'
import type { Names } from '../parts/names.ts'
import type { Screen } from '../parts/screen.ts'
import type { Amount, SeenThing } from '../parts/shown.ts'

/** The parts of a resource's list that do not follow from its declaration. */
export interface ListScreen<T = SeenThing> {
  /** The columns in addition to the name, by default; without them, the one-line fields that clients give. */
  readonly columns?: readonly string[]
  /** Columns that do not show a field, in addition to the default ones. */
  readonly added?: readonly AddedColumn<T>[]
  /** The default columns that are left out if no shown thing has a value, and their filters if no thing at all has. */
  readonly ifFilled?: readonly string[]
  /** The columns that narrow screens show too. */
  readonly narrow?: readonly string[]
  /** The name of a column, if it is not that of its field. */
  readonly heads?: { readonly [field: string]: Text }
  /** The content of a cell, if it is not the plain value. */
  readonly cells?: { readonly [field: string]: WriteCell<T> }
  /** The filters of the bar, in addition to a search; without them, those that follow from the fields. */
  readonly filters?: readonly string[]
  /** The name of a filter, if it is not that of its field. */
  readonly filterTexts?: { readonly [filter: string]: Text }
  readonly tabs?: (isUser: boolean) => readonly FixedTab[]
  /** The text of an empty tab. */
  readonly nothing?: Text
  /** The amount whose sums are shown above the table. */
  readonly sums?: string
  readonly about?: (call: Call) => Text
  /** Whether things are made on other pages only. */
  readonly isMadeElsewhere?: boolean
  /** The initial values of a new one. */
  readonly given?: (asked: AskedList) => { readonly [field: string]: string }
  /** Next to the title. */
  readonly beside?: (parameters: readonly Parameter[], addresses: Addresses) => Markup
  /** Above the filters, such as a chart. */
  readonly above?: (asked: AskedList) => Promise<Screen | undefined>
  /** The text after a name. */
  readonly marks?: (asked: AskedList) => Promise<(thing: T) => Markup | undefined>
  /** Instead of a table, unless columns are asked for. `selected` makes rows selectable, unless it is undefined. */
  readonly rows?: (things: readonly T[], names: Names, asked: AskedList) => WriteRows
}

/** A column that shows no field; its values are read for all things of a page at once. */
export type AddedColumn<T = SeenThing> = {
  readonly head: Text
  /** The default column that it follows. */
  readonly after: string
} & (
  | { readonly kind: 'instant'; readonly read: ReadAdded<T, string | undefined> }
  /** Sums, one for each currency. */
  | {
      readonly kind: 'sums'
      readonly read: ReadAdded<T, readonly Sum[]>
      /** The currencies that there are. */
      readonly currencies: (desk: Desk) => Promise<readonly string[]>
    }
)

type ReadAdded<T, V> = (things: readonly T[], desk: Desk) => Promise<(thing: T) => V>

interface Sum {
  readonly currency: string
  readonly amount: Amount
}

/** A tab that every list of the collection has. */
export interface FixedTab {
  readonly name: Text
  readonly query: string
}

export type WriteRows = (selected: ((rows: Markup) => Markup) | undefined) => Markup

/** A requested list. */
export interface AskedList {
  readonly list: ShownList
  readonly call: Call
  readonly now: string
  /** The path of the list with its query, to which its forms return. */
  readonly back: string
}

/** Written as a string, because a page has hundreds of cells. It escapes all client text. */
export type WriteCell<T = SeenThing> = (thing: T, row: RowContext) => string

/** The context of a row's cells. */
export interface RowContext {
  readonly resource: Resource
  readonly names: Names
  /** The reader's day. */
  readonly today: string
  readonly reader: Reader
  /** The time in milliseconds. */
  readonly time: number
  readonly addresses: Addresses
}

/** A screen whose things have the type of their resource. */
export const listScreen = <T>(screen: ListScreen<T>): ListScreen => screen as unknown as ListScreen

/** The default order of lists for people. Other lists have that of programs. decisions/0046 */
export const listOrders: { readonly [resource: string]: string } = {
  deal: '-updatedAt',
  field: 'on,position',
  pipeline: 'position',
  rate: '-since',
  target: '-from',
}

/** The resources whose things have places, which people change in the list, and the field that those in one order share. */
export const arranged: { readonly [resource: string]: { readonly within?: string } } = {
  field: { within: 'on' },
  pipeline: {},
}

export const isArranged = ({ name }: Resource): boolean => Object.hasOwn(arranged, name)

/** The texts of a list. A language file has them for each resource; a new one has them in English. */
export const listTexts = ({ name, plural }: Pick<Resource, 'name' | 'plural'>) => ({
  new: `New ${name}`,
  first: `Create the first ${name}`,
  none: `No ${plural} yet.`,
  noMatch: `No ${plural} match.`,
  all: `Show all ${plural}`,
  count: `{count} ${plural}`,
  shown: `{count} ${plural} shown`,
  part: `{shown} of {count} ${plural} shown`,
})
