import type { Random } from '../../../src/demo/random.ts'

/** A request that is too much of something. */
export interface Hostile {
  readonly method: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly content?: string | Buffer
}

/** Things that are there, so that a request gets past the first look. */
export interface Known {
  readonly deals: readonly string[]
  readonly customer: string
}

/** What grows with a count: a list, a depth, a text, a file. */
export interface Multiplier {
  readonly name: string
  /** The count that the table of bounds allows. */
  readonly bound: number
  /** More than can be meant; a request that gets larger than 1 MB has as many as fit. */
  readonly far: number
  readonly of: (count: number, known: Known, random: Random) => Hostile
}

export const times = (count: number, text: string | ((n: number) => string), between = ''): string =>
  typeof text === 'string' && between === ''
    ? text.repeat(count)
    : Array.from({ length: count }, (_, n) => (typeof text === 'string' ? text : text(n))).join(between)

export const post = (path: string, content: string | Buffer, type = 'application/json'): Hostile => ({
  method: 'POST',
  path,
  content,
  headers: { 'content-type': type },
})

export const get = (path: string, headers?: Hostile['headers']): Hostile => ({
  method: 'GET',
  path,
  ...(headers && { headers }),
})

export const FORM = 'application/x-www-form-urlencoded'
