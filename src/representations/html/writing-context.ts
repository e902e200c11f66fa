import type { Reader } from '../../languages/reader.ts'
import type { Markup } from './markup.ts'

/** The surroundings of a page, which only HTML shows. */
export interface WritingContext {
  /** Who reads the page. */
  readonly reader: Reader
  /** The colours that the reader chose; absent if the system decides. */
  readonly theme?: 'light' | 'dark' | undefined
  /** The same thing in the other representations. */
  readonly alternates: readonly Alternate[]
  readonly homeHref: string
  readonly styleHref: string
  /** Absent for those who may not load it. */
  readonly scriptHref?: string | undefined
  /** The live stream that the page follows. */
  readonly eventsHref?: string | undefined
  /** The name of the signed-in user. */
  readonly actor?: string | undefined
  /** The page of the signed-in user. */
  readonly profileHref?: string | undefined
  /** Where a session is ended; absent without one. */
  readonly signOutHref?: string | undefined
  /** What was just done, by the form that led to this page. */
  readonly notice?: Markup | undefined
  /** Who there is, for fields that name a user. */
  readonly people: readonly { readonly name: string; readonly fullName: string | null }[]
  /** Where searches are sent; absent for those who may not. */
  readonly searchHref?: string | undefined
  /** Where a choice of colours is sent; absent for those who are not known. */
  readonly themeHref?: string | undefined
  /** The path of this page, for forms that lead back to it. */
  readonly back: string
  /** The places in the navigation of every page. */
  readonly navigation: readonly NavigationEntry[]
}

export interface Alternate {
  readonly name: string
  readonly href: string
  readonly mediaType: string
}

/** What a sales team works with, what it creates, what is set up, and what developers need. */
export type NavigationPart = 'work' | 'creation' | 'administration' | 'developers'

export interface NavigationEntry {
  readonly part: NavigationPart
  /** In English; the layout says it. */
  readonly label: string
  readonly href: string
  /** Whether the page is this place or below it. */
  readonly current?: boolean
  /** The keyboard shortcut. */
  readonly key?: string
}
