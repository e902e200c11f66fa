import type { Text } from '../../languages/text.ts'
import type { Resource } from '../../model/schema.ts'
import type { FormField, PickedThing } from '../../representations/document.ts'
import type { Hole } from '../../representations/html/markup.ts'
import type { SeenThing } from '../parts/shown.ts'
import type { Addresses, View, Visit } from '../parts/visit.ts'

/** What the page of a thing has besides what follows from the declaration of its resource. */
export interface ThingScreen<T = SeenThing> {
  /** The places above the list. */
  readonly crumbs?: (addresses: Addresses) => readonly Hole[]
  /** What the list begins with, for whoever goes up to it. */
  readonly listQuery?: string
  /** The state of the thing, below its name. */
  readonly marks?: (thing: T, about: ThingContext) => Hole
  /** What else the head says. */
  readonly notices?: (thing: T, about: ThingContext) => Hole
  /** The operations whose buttons stand beside the name. */
  readonly turns?: readonly string[]
  /** A link beside the name. */
  readonly beside?: (thing: T, about: ThingContext) => Hole
  /** The fields that the details begin with; what else clients give follows. */
  readonly fields?: readonly string[]
  /** The fields that the page shows in another way. */
  readonly elsewhere?: readonly string[]
  /** What a field is called, if not by its name. */
  readonly texts?: { readonly [field: string]: Text }
  /** What a field shows, if not the plain value; nothing if it is empty, `false` if it is left out then. */
  readonly facts?: { readonly [field: string]: (thing: T, about: ThingContext) => Hole }
  /** The fields of the form that changes it, in the order and the words of the page. */
  readonly editing?: (fields: readonly FormField[]) => readonly FormField[]
  /** Panels below the details. */
  readonly panels?: (thing: T, asked: AskedThing) => Promise<View>
  /** What keeps a thing from what would be possible otherwise, as it would be without: the page says so. */
  readonly otherwise?: Partial<T>
  /** How many days a deleted one can be restored. */
  readonly daysToRestore?: number
}

/** What a page about a thing is written with. */
export interface ThingContext {
  readonly resource: Resource
  /** What it refers to, by field. */
  readonly referred: ReadonlyMap<string, PickedThing>
  /** The day of whoever reads. */
  readonly today: string
  readonly timeZone: string | undefined
  readonly addresses: Addresses
}

export interface AskedThing {
  readonly resource: Resource
  readonly visit: Visit
  readonly now: string
  /** The latest entries of its history, and whether there are older ones. */
  readonly history: { readonly items: readonly string[]; readonly hasMore: boolean }
}

/** A screen whose things have the type of their resource. */
export const thingScreen = <T>(screen: ThingScreen<T>): ThingScreen => screen as unknown as ThingScreen
