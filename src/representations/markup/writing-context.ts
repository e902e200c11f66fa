import type { Reader } from '../../languages/reader.ts'
import type { Markup } from './markup.ts'

/** The surroundings of a page, which only HTML shows. */
export interface WritingContext {
  /** The reader of the page. */
  readonly reader: Reader
  /** The colours that the reader chose; absent if the system decides. */
  readonly theme?: 'light' | 'dark' | undefined
  /** The same thing in the other representations. */
  readonly alternates: readonly Alternate[]
  readonly homeHref: string
  readonly styleHref: string
  /** The sign of the desk, and what a phone reads to put it on its home screen. */
  readonly iconHref: string
  readonly touchIconHref: string | undefined
  readonly manifestHref: string | undefined
  /** Absent for readers who may not load it. */
  readonly scriptHref?: string | undefined
  /** The live stream that the page follows. */
  readonly eventsHref?: string | undefined
  /** The name of the signed-in user. */
  readonly actor?: string | undefined
  /** Their initials. */
  readonly actorMark?: Markup | undefined
  /** The page of the signed-in user. */
  readonly profileHref?: string | undefined
  /** The sign-out address; absent without a session. */
  readonly signOutHref?: string | undefined
  /** The message about the change that led to this page. */
  readonly notice?: Markup | undefined
  /** The existing users, for fields that name one. */
  readonly people: readonly { readonly name: string; readonly fullName: string | null }[]
  /** The address of searches; absent if the reader may not search. */
  readonly searchHref?: string | undefined
  /** The address for a choice of colours; absent for unknown readers. */
  readonly themeHref?: string | undefined
  /** The address to show or hide what is for developers; absent for users, whose profile says it. */
  readonly developerHref?: string | undefined
  /** The path of this page, for forms that return to it. */
  readonly back: string
  /** The places in the navigation of every page. */
  readonly navigation: readonly NavigationEntry[]
}

export interface Alternate {
  readonly name: string
  readonly href: string
  readonly mediaType: string
}

/** Places where a sales team works, forms for new things, settings, and places for developers. */
export type NavigationPart = 'work' | 'creation' | 'administration' | 'developers'

export interface NavigationEntry {
  readonly part: NavigationPart
  /** In English; the layout translates it. */
  readonly label: string
  readonly href: string
  /** Whether the page is this place or below it. */
  readonly current?: boolean
  /** The name of its sign. */
  readonly icon?: string
  /** The keyboard shortcut. */
  readonly key?: string
}
