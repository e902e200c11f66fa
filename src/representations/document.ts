import { anybody } from '../languages/reader.ts'
import type { Text, Words } from '../languages/text.ts'
import type { Fault, Reason } from '../values/faults/fault.ts'
import type { JsonSchema } from '../values/kinds/kind.ts'
import type { ListedItems } from '../values/listed-items.ts'
import type { FieldList } from './markup/field-lists.ts'
import type { Markup } from './markup/markup.ts'
import type { WritingContext } from './markup/writing-context.ts'
import type { JoinedItems } from './read-document.ts'

/** An answer before it becomes bytes. Representations know documents, not deals. */
export interface Document {
  /** A string is translated for the reader; a `Text` may also be something that people typed. */
  readonly title: string | Text
  /** The complete JSON representation; the others are derived from it. */
  readonly json: string
  /** For pages and lists that are joined from the stored texts of their items. */
  readonly joined?: JoinedItems | undefined
  /** One thing; a page or a bare list of things; or a problem. */
  readonly kind: 'resource' | 'page' | 'list' | 'problem'
  /** The name of the thing, or of each of the things: the XML element. */
  readonly item: string
  /** For pages and lists: the columns of a table, in order. */
  readonly columns?: readonly string[]
  /** For pages and lists: facts about the items. */
  readonly items?: ListedItems
  /** For pages and lists: its own address in this format. */
  readonly address?: string
  /** For pages and lists about one thing: the name of that thing. */
  readonly about?: string
  /** For pages and lists: the address of an item. */
  readonly itemAddress?: (item: { readonly [name: string]: unknown }) => string | undefined
  /** The next pages of a bare list; a page has them in its own `links`. */
  readonly pageLinks?: { readonly [relation: string]: string }
  /** The forms for people; created only for a page. */
  readonly forms?: () => readonly DocumentForm[]
  /** Whether it documents the interface: its derived page is in English. */
  readonly inEnglish?: true
  /** The screen for people instead of the derived page, with its heading; created only for HTML. */
  readonly screen?: (context: WritingContext) => Markup
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
  /** A field that is required `together` with others may stay empty if they do. Undefined for filters. */
  readonly required?: boolean | 'together' | undefined
  readonly value?: string
  /** Whether the value is as somebody typed it, and not of a document. */
  readonly isTyped?: true
  readonly placeholder?: Text
  /** The kind of value that a browser or a password manager may fill in. */
  readonly autocomplete?: string
  /** Whether it is the name of a user: it suggests the existing ones. */
  readonly namesUser?: true
  /** Set if the value is the id of a thing, which is searched by its words. */
  readonly picks?: PickedThings
  /** Whether it has the focus when the page appears. */
  readonly isFirst?: true
  /** The choices, if the schema does not have them. */
  readonly choices?: readonly FieldChoice[]
  /** The parts of a list, a row of fields for each. */
  readonly rows?: readonly FormRow[]
  /** Whether it is sent as it is. */
  readonly isHidden?: true
  /** The field whose text it is made of while that is typed, and how it is spelled; with script. */
  readonly follows?: { readonly field: string; readonly as: 'slug' | 'camel' }
  /** The heading under which it stands with others. */
  readonly heading?: string
  /** Whether it is seldom needed: a button brings it. */
  readonly isFurther?: true
  /** Whether its boxes open with a button. */
  readonly isFolded?: true
  /** In an entry of a list: the button that opens it, together with the other fields of the same button. */
  readonly fold?: Text
  /** Texts to choose from; others are possible. */
  readonly suggestions?: readonly string[]
  /** Whether any number of the choices can be chosen. */
  readonly several?: true
  /** The keyboard that suits its text. */
  readonly keyboard?: 'url' | 'email' | 'tel'
  /** A list of suggestions, if the kind of the field does not determine it. */
  readonly list?: FieldList
  /** The field that its choices depend on, if they do: without a choice there, those of these values are possible. */
  readonly within?: { readonly field: string; readonly here?: readonly string[] }
  /** It belongs to these values of another field; with script, it is there while one of them is chosen. */
  readonly onlyFor?: { readonly field: string; readonly values: readonly string[]; readonly title?: Text }
  /** The chosen one of several equal choices. */
  readonly chosen?: FieldChoice
  /** The label of the empty choice. */
  readonly nothing?: Text
  /** The fault of the value; that of a query may name one of its parameters. */
  readonly fault?: Reason & Partial<Pick<Fault, 'at'>>
  /** The line of a text with the fault, from 1. */
  readonly faultyLine?: number
  /** A further note. */
  readonly note?: Text
  /** The word for the things that its number counts. */
  readonly unit?: string
}

/** An entry of a list, with its fields. */
export interface FormRow {
  /** The name of the entry for people; undefined for one that there is not yet. */
  readonly text?: Words
  /** The place of the entry, such as `stages/0`. */
  readonly name: string
  readonly fields: readonly FormField[]
}

/** The things that a field is picked from, and the picked one. */
export interface PickedThings {
  /** The noun for one of them. */
  readonly noun: string
  /** The address of suggestions, without the searched words. */
  readonly suggest: string
  /** The thing that the value names. */
  readonly chosen?: PickedThing
  /** The matches of the words that were sent instead of an id; `hasMore` says that there are others. */
  readonly found?: { readonly things: readonly PickedThing[]; readonly hasMore: boolean }
  /** The fields of a new thing, which is created together with the form's change. */
  readonly creation?: readonly FormField[]
}

/** A thing as a field shows it: its id, its name, and a detail that distinguishes it from its namesakes. */
export interface PickedThing {
  readonly value: string
  readonly text: string
  readonly detail: string
  /** The fields of the detail. */
  readonly details?: readonly (readonly [field: string, text: string])[]
  /** The id, if people know it. */
  readonly number?: number
}

export interface FieldChoice {
  readonly value: string
  readonly text: Words
  /** The language of the text, if it differs from the page's. */
  readonly lang?: string
  /** The choice of another field with which it is possible; the same for all of these. */
  readonly group?: FieldChoice
}
