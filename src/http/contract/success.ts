import type { CollectionName } from '../../queries/collection.ts'
import type { HeaderName } from './headers.ts'

/** A successful answer of an endpoint. The response and its description both follow from it. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204 | 303
  /** The content of the body; undefined if there is none. */
  readonly shows?: BodyShape
  readonly headers: readonly HeaderName[]
  readonly when: string
  /** The query parameters that ask for it, if it is not the usual answer. */
  readonly askedBy?: readonly string[]
}

/**
 * The success of a write. A dry run, `Prefer: return=minimal` and a page's form change it in the same way everywhere.
 */
export interface WriteSuccess extends Success {
  /** The content of a dry run's answer, if it is documented. */
  readonly foresees?: BodyShape
  /** Shows a secret that cannot be read again: with a body whatever is preferred, on a page too. */
  readonly isShownOnce?: true
  /** Decided once under an id, however often it is sent; the answer to a repeat says so. */
  readonly isRepeatable?: true
}

export type BodyShape =
  | NamedShape
  /** One item of a collection, with its links. */
  | { readonly one: CollectionName }
  /** The result of a dry run for an item: without the members that only existing things have. */
  | { readonly draft: CollectionName }
  /** Some members of one item. */
  | { readonly part: CollectionName }
  | { readonly page: CollectionName }
  | { readonly list: CollectionName }
  /** The same with some members of each item. */
  | { readonly partPage: CollectionName }
  | { readonly partList: CollectionName }
  /** Bytes of one fixed media type. */
  | { readonly content: string }

/** Bodies that are not items of a collection, by the names of their schemas. */
type NamedShape =
  | 'Actions'
  | 'BatchResults'
  | 'Board'
  | 'Correction'
  | 'Found'
  | 'SignInPage'
  | 'GroupList'
  | 'GroupPage'
  | 'Health'
  | 'Home'
  | 'NamedQueries'
  | 'OperationDescription'
  | 'ProblemType'
  | 'ProblemTypes'
  | 'Report'
  | 'Reports'
  | 'Versions'
  | 'WebhookTest'

const validators = ['ETag', 'Last-Modified'] as const

/** One thing with its own state. */
export const thing = (of: CollectionName, word: string): Success => ({
  status: 200,
  shows: { one: of },
  headers: [...validators, 'Link'],
  when: `The ${word}.`,
})

/** The members that `fields` and `expand` ask for. */
export const chosenMembers = (of: CollectionName): Success => ({
  status: 200,
  shows: { part: of },
  headers: [],
  when: 'With `fields` only those members; with `expand` related things too, and no ETag.',
  askedBy: ['fields', 'expand'],
})

/** Past states, too: under a separate address. */
export const withPast = (success: Success): Success => ({
  ...success,
  headers: [...success.headers, 'Content-Location'],
  when: `${success.when} With \`revision\` or \`asOf\` as it was then.`,
})

/** A combination of several things without its own state. */
export const overview = (shows: BodyShape, when: string): Success => ({ status: 200, shows, headers: ['Link'], when })

/** Bytes of one type that do not change while the service runs. */
export const fixed = (content: string, when: string): Success => ({
  status: 200,
  shows: { content },
  headers: ['ETag'],
  when,
})

export const created = (of: CollectionName, word: string): WriteSuccess => ({
  status: 201,
  shows: { one: of },
  headers: [...validators, 'Location', 'Content-Location'],
  when: `The ${word} that was created.`,
  foresees: { draft: of },
})

export const changed = (of: CollectionName, word: string): WriteSuccess => ({
  status: 200,
  shows: { one: of },
  headers: [...validators, 'Content-Location'],
  when: `The ${word} after it.`,
  foresees: { one: of },
})

export const removed = (of: CollectionName): WriteSuccess => ({
  status: 204,
  headers: [],
  when: 'It is deleted.',
  foresees: { one: of },
})

/** The work is done later. */
export const accepted = (of: CollectionName, when: string): WriteSuccess => ({
  status: 202,
  shows: { one: of },
  headers: ['Content-Location'],
  when,
  foresees: { one: of },
})

/** The answer shows a secret, this once. */
export const withSecret = (success: WriteSuccess): WriteSuccess => ({
  ...success,
  isShownOnce: true,
  when: `${success.when} With its secret, which is shown this once.`,
})

export const repeatable = (success: WriteSuccess): WriteSuccess => ({ ...success, isRepeatable: true })
