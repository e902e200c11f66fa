import type { Kind } from './kinds/kind.ts'

/** Facts about the items of a list, for representations that write more than text. */
export interface ListedItems {
  /** The name of one item. */
  readonly item: string
  /** Identifies an item. */
  readonly key: string
  readonly fields: ReadonlyMap<string, ListedField>
  /** Set if items are calendar entries. */
  readonly calendar?: CalendarFields
  /** Set if items are feed entries. */
  readonly feed?: FeedFields
}

interface ListedField {
  readonly kind: Pick<Kind<unknown>, 'name'>
  /** The field that has the currency of an amount. */
  readonly currencyIn?: string
  /** Set for a field of a referenced item, which the item itself does not have. */
  readonly through?: object
}

/** The fields of an item that make a calendar entry. An item without day and instant has no entry. */
export interface CalendarFields<N extends string = string> {
  readonly day: N
  /** Takes precedence over the day. */
  readonly instant?: N
  readonly title: N
  readonly text: N
  /** The field that names the user whose calendar shows it. */
  readonly person: N
  /** The field and its value while the entry is still to come. */
  readonly open: readonly [field: N, value: string]
  /** The field and its value if the entry is cancelled. */
  readonly cancelled?: readonly [field: N, value: string]
}

/** The members of an item that make a feed entry. */
export interface FeedFields {
  readonly time: string
  readonly title: string
  /** The possible positions of the thing's name; the first one present counts. */
  readonly names: readonly string[]
  readonly author: string
}
