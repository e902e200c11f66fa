import type { Reader } from '../../languages/reader.ts'
import type { Text } from '../../languages/text.ts'
import type { Resource } from '../../model/schema.ts'
import type { Parameter } from '../../queries/query-string.ts'
import type { Markup } from '../../representations/html/markup.ts'
import type { Names } from '../parts/names.ts'
import type { SeenThing } from '../parts/shown.ts'
import type { Addresses, ShownList, View, Visit } from '../parts/visit.ts'

/** What the list of a resource has besides what follows from the declaration of the resource. */
export interface ListScreen<T = SeenThing> {
  /** The columns besides the name, where nobody chose others; without them, what clients give in a line. */
  readonly columns?: readonly string[]
  /** Those of them that narrow screens show too. */
  readonly narrow?: readonly string[]
  /** What a column is called, if not by its field. */
  readonly heads?: { readonly [field: string]: Text }
  /** What a cell shows, if not the plain value. */
  readonly cells?: { readonly [field: string]: WriteCell<T> }
  /** The filters of the bar, besides a search; without them, those that follow from the fields. */
  readonly filters?: readonly string[]
  /** What a filter is called, if not by its field. */
  readonly filterTexts?: { readonly [filter: string]: Text }
  readonly tabs?: (isUser: boolean) => readonly FixedTab[]
  /** What an empty tab says. */
  readonly nothing?: Text
  /** The amount whose sums stand above the table. */
  readonly sums?: string
  readonly about?: (visit: Visit) => Text
  /** What a new one begins with. */
  readonly given?: (asked: AskedList) => { readonly [field: string]: string }
  /** Beside the title. */
  readonly beside?: (parameters: readonly Parameter[], addresses: Addresses) => Markup
  /** Above the filters, such as a chart. */
  readonly above?: (asked: AskedList) => Promise<View | undefined>
  /** What stands behind a name. */
  readonly marks?: (asked: AskedList) => Promise<(thing: T) => Markup | undefined>
  /** In place of a table. `selected` makes rows selectable, unless it is undefined. */
  readonly rows?: (things: readonly T[], names: Names, asked: AskedList) => WriteRows
}

/** A tab that every list of the collection has. */
export interface FixedTab {
  readonly name: Text
  readonly query: string
}

export type WriteRows = (selected: ((rows: Markup) => Markup) | undefined) => Markup

/** A list that somebody asked for. */
export interface AskedList {
  readonly list: ShownList
  readonly visit: Visit
  readonly now: string
  /** The path of the list with its query, where its forms lead back to. */
  readonly back: string
}

/** Written as a string, because a page has hundreds of cells. It escapes whatever a client wrote. */
export type WriteCell<T = SeenThing> = (thing: T, row: RowContext) => string

/** What the cells of a row are written with. */
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

/** The order of lists for people where the address names none. Others have that of programs. decisions/0046 */
export const listOrders: { readonly [resource: string]: string } = { deal: '-updatedAt', rate: '-since' }

/** What a list says of its things. A language file has them for each resource; a new one is spoken of in English. */
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
