import { anybody } from '../languages/reader.ts'
import type { Text, Words } from '../languages/text.ts'
import type { Reason } from '../values/faults/fault.ts'
import type { JsonSchema } from '../values/kinds/kind.ts'
import type { ListedItems } from '../values/listed-items.ts'
import type { FieldList } from './html/field-lists.ts'
import type { Markup } from './html/markup.ts'
import type { WritingContext } from './html/writing-context.ts'
import type { JoinedItems } from './read-document.ts'

/** What an answer says, before it becomes bytes. Representations know documents, not deals. */
export interface Document {
  /** A string is said in the reader's language; a text may also be what people typed. */
  readonly title: string | Text
  /** The JSON representation, whole; the others are derived from it. */
  readonly json: string
  /** For pages and lists that are joined from the stored texts of their items. */
  readonly joined?: JoinedItems | undefined
  /** One thing; a page or a bare list of things; or a problem. */
  readonly kind: 'resource' | 'page' | 'list' | 'problem'
  /** What the thing, or each of the things, is called: the XML element. */
  readonly item: string
  /** For pages and lists: the columns of a table, in order. */
  readonly columns?: readonly string[]
  /** For pages and lists: what is known of the items. */
  readonly items?: ListedItems
  /** For pages and lists: its own address in this format. */
  readonly address?: string
  /** For pages and lists whose items are all about one thing: what that is called. */
  readonly about?: string
  /** For pages and lists: the address of an item. */
  readonly itemAddress?: (item: { readonly [name: string]: unknown }) => string | undefined
  /** Where a bare list goes on; a page says it in its own `links`. */
  readonly pageLinks?: { readonly [relation: string]: string }
  /** What a person can do here; made only for a page. */
  readonly forms?: () => readonly DocumentForm[]
  /** Whether it speaks of the interface, as its reference does: its derived page is in English. */
  readonly inEnglish?: true
  /** What a person sees instead of the derived page, its heading included; made only for a page. */
  readonly page?: (context: WritingContext) => Markup
}

/** The title for programs, in English. */
export const titleOf = ({ title }: Document): string => (typeof title === 'string' ? title : title(anybody))

/** A form that an ordinary browser can send. */
export interface DocumentForm {
  readonly title: Text
  readonly action: string
  readonly method: 'get' | 'post'
  readonly submit: Text
  readonly fields: readonly FormField[]
  readonly hidden: { readonly [name: string]: string }
}

export interface FormField {
  readonly name: string
  readonly label: Text
  readonly schema: JsonSchema
  /** One that is required `together` with others may stay empty if they do. Not said of filters. */
  readonly required?: boolean | 'together' | undefined
  readonly value?: string
  readonly placeholder?: Text
  /** What a browser or a password manager may fill in. */
  readonly autocomplete?: string
  /** Whether it is the name of a user: it suggests who there is. */
  readonly namesUser?: true
  /** Set where the value is the id of a thing, which is searched for by its words. */
  readonly picks?: PickedThings
  /** Whether it has the focus when the page appears. */
  readonly isFirst?: true
  /** What it is chosen from, where that is not said by the schema. */
  readonly choices?: readonly FieldChoice[]
  /** A list of suggestions, if the field does not say it by its kind. */
  readonly list?: FieldList
  /** What the choice of nothing is called. */
  readonly nothing?: Text
  /** What is wrong with the value. */
  readonly fault?: Reason
  /** What else there is to know of it. */
  readonly note?: Text
}

/** What a field is picked from, and what was picked. */
export interface PickedThings {
  /** What one of them is called. */
  readonly noun: string
  /** Where suggestions are, without the words that they are searched by. */
  readonly suggest: string
  /** The thing that the value names. */
  readonly chosen?: PickedThing
  /** The things that the words found which were sent instead of an id; `hasMore` says that others were found too. */
  readonly found?: { readonly things: readonly PickedThing[]; readonly hasMore: boolean }
  /** The fields of a new one, which is made along with what the form does. */
  readonly creation?: readonly FormField[]
}

/** A thing as a field shows it: its id, its name, and what tells it apart from its namesakes. */
export interface PickedThing {
  readonly value: string
  readonly text: string
  readonly detail: string
}

export interface FieldChoice {
  readonly value: string
  readonly text: Words
  /** The language of the text, if it is another than the page's. */
  readonly lang?: string
}
