import type { Addresses } from '../../http/contract/addresses.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import type { Text } from '../../languages/text.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import type { Task } from '../../model/nouns/task/task.ts'
import type { DocumentForm, FormField, PickedThing } from '../../representations/document.ts'
import type { Hole } from '../../representations/markup/markup.ts'
import type { Screen } from '../parts/screen.ts'
import type { SeenThing, ShownEntry } from '../parts/shown.ts'

/** The parts of a thing's page that do not follow from the declaration of its resource. */
export interface ThingScreen<T = SeenThing> {
  /** The places above the list. */
  readonly crumbs?: (addresses: Addresses) => readonly Hole[]
  /** The query of the list, for the link up to it. */
  readonly listQuery?: string
  /** The state of the thing, below its name. */
  readonly marks?: (thing: T, about: ThingContext) => Hole
  /** Further marks, which must be read. */
  readonly readMarks?: (thing: T, call: Pick<Call, 'desk'>, now: string) => Promise<Hole>
  /** Further notices of the head. */
  readonly notices?: (thing: T, about: ThingContext) => Hole
  /** The operations whose buttons are next to the name. */
  readonly turns?: readonly string[]
  /** A line below the head: what matters at first sight. */
  readonly glance?: (thing: T, about: ThingContext, next: Task | undefined) => Hole
  /** The way of the thing, below the head. */
  readonly way?: (thing: T, asked: AskedWay) => Hole
  /** A link next to the name. */
  readonly beside?: (thing: T, about: ThingContext) => Hole
  /** The first fields of the details; the others that clients give follow. */
  readonly fields?: readonly string[]
  /** The fields that the page shows differently. */
  readonly elsewhere?: readonly string[]
  /** Whether each field of the form that changes it has a form of its own at its value, too. */
  readonly inPlace?: true
  /** The label of a field, if it is not its name. */
  readonly texts?: { readonly [field: string]: Text }
  /** The content of a field, if it is not the plain value; undefined if it is empty, `false` to leave it out. */
  readonly facts?: { readonly [field: string]: (thing: T, about: ThingContext) => Hole }
  /** The fields of the form that changes it, with the order and the texts of the page. */
  readonly editing?: (fields: readonly FormField[], about: EditedThing<T>) => readonly FormField[]
  /** The same of the form for a new one. */
  readonly creating?: (fields: readonly FormField[], about: Pick<EditedThing<T>, 'resource'>) => readonly FormField[]
  /** The first fields of an operation, with what differs from those that follow from its parameters. */
  readonly asked?: (operation: Operation, thing: T) => AskedFields
  /** The note at its removal, if that depends on other things. */
  readonly removal?: Text
  /** Why it cannot be removed as it is: there is no form for it then. */
  readonly stays?: (thing: T) => Text | undefined
  /** Panels below the details. */
  readonly panels?: (thing: T, asked: AskedThing) => Promise<Screen>
  /** The state without the values that prevent operations otherwise possible: the page explains them. */
  readonly otherwise?: Partial<T>
  /** The number of days for which a deleted one can be restored. */
  readonly daysToRestore?: number
}

/** By the names of parameters. */
export type AskedFields = { readonly [param: string]: Partial<FormField> }

export const askedFirst = (fields: readonly FormField[], asked: AskedFields): readonly FormField[] =>
  fields.toSorted((a, b) => Number(b.name in asked) - Number(a.name in asked))

export interface EditedThing<T = SeenThing> {
  readonly resource: Resource
  readonly thing: T
}

/** The context of a thing's page. */
export interface ThingContext {
  readonly resource: Resource
  /** The referenced things, by field. */
  readonly referred: ReadonlyMap<string, PickedThing>
  /** The reader's day. */
  readonly today: string
  readonly timeZone: string | undefined
  readonly addresses: Addresses
}

/** The context of a thing's way. */
export interface AskedWay extends ThingContext {
  /** The form of an operation, if it is possible now. */
  readonly formOf: (operation: string) => DocumentForm | undefined
  /** Latest first, and whether there are older entries. */
  readonly history: readonly ShownEntry[]
  readonly hasMoreHistory: boolean
  readonly now: string
}

export interface AskedThing {
  readonly resource: Resource
  readonly call: Call
  readonly now: string
  /** The latest entries of its history, and whether there are older ones. */
  readonly history: { readonly items: readonly ShownEntry[]; readonly hasMore: boolean }
}

/** A screen whose things have the type of their resource. */
export const thingScreen = <T>(screen: ThingScreen<T>): ThingScreen => screen as unknown as ThingScreen
