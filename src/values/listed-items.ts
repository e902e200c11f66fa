import type { Kind } from './kinds/kind.ts'

/** What is known of the items of a list: representations that write more than texts need it. */
export interface ListedItems {
  /** The name of one item. */
  readonly item: string
  /** Identifies an item. */
  readonly key: string
  readonly fields: ReadonlyMap<string, ListedField>
  /** Set where items are entries of a calendar. */
  readonly calendar?: CalendarFields
  /** Set where items are entries of a feed. */
  readonly feed?: FeedFields
}

interface ListedField {
  readonly kind: Pick<Kind<unknown>, 'name'>
  /** The field that has the currency of an amount. */
  readonly currencyIn?: string
}

/** The fields of an item that an entry of a calendar is made of. An item without day and instant has no entry. */
export interface CalendarFields<N extends string = string> {
  readonly day: N
  /** Counts more than the day. */
  readonly instant?: N
  readonly title: N
  readonly text: N
  /** The field that names the user whose calendar has it. */
  readonly person: N
  /** The field and the value that it has as long as it is still to come. */
  readonly open: readonly [field: N, value: string]
  /** The field and the value that tell that it will not take place. */
  readonly cancelled?: readonly [field: N, value: string]
}

/** The members of an item that an entry of a feed is made of. */
export interface FeedFields {
  readonly time: string
  readonly title: string
  /** Where the name of the thing may stand; the first one that is there. */
  readonly names: readonly string[]
  readonly author: string
}
