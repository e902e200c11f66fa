import { createHash } from 'node:crypto'
import type { State } from '../../values/guard.ts'
import { type Coding, codings } from '../negotiate/content-coding.ts'

/** What shapes the bytes of an answer besides the state that it shows. */
export interface Shape {
  /** The name of the representation. */
  readonly representation: string
  /** The content coding; nothing for bytes as they are. */
  readonly coding?: Coding | undefined
  /** Set where the links are those of somebody who may only read. */
  readonly forReader?: boolean | undefined
}

/** Entity tags: strong, one for each state of a thing in each shape. The only place where they are made and read. */
export interface EntityTags {
  tag(state: State, shape: Shape): string
  /** The state that a tag of ours stands for, in whichever shape. */
  stateOf(tag: string): State | undefined
}

/** `shaping` is what shapes every answer of this process: the release, the address before links. */
export function entityTagsFor(shaping: readonly string[], representations: readonly string[]): EntityTags {
  const marks = new Map<string, string>()
  for (const representation of representations) {
    for (const coding of [undefined, ...codings]) {
      for (const forReader of [false, true]) {
        const key = keyOf({ representation, coding, forReader })
        marks.set(key, markOf([...shaping, key]))
      }
    }
  }
  const known = new Set(marks.values())
  return {
    tag(state, shape) {
      const mark = marks.get(keyOf(shape))
      if (mark === undefined) throw new Error(`no tag is known for ${keyOf(shape)}`)
      // The instant keeps a thing apart from an earlier one of the same id, whose revisions began at 1 too.
      return `"${state.revision}-${Date.parse(state.updatedAt).toString(36)}-${mark}"`
    },
    stateOf(tag) {
      const [, revision, instant, mark] = /^"([1-9]\d{0,15})-([0-9a-z]{1,9})-([\w-]{8})"$/.exec(tag) ?? []
      if (instant === undefined || mark === undefined || !known.has(mark)) return undefined
      const time = Number.parseInt(instant, 36)
      if (time > LATEST) return undefined
      return { revision: Number(revision), updatedAt: new Date(time).toISOString() }
    },
  }
}

const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

const keyOf = ({ representation, coding, forReader = false }: Shape): string =>
  `${representation}${coding === undefined ? '' : ` ${coding}`}${forReader ? ' reader' : ''}`

const markOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 8)
