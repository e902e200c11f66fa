import { createHash } from 'node:crypto'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { contentTypeFor, type Representation } from '../../representations/representation.ts'
import type { EntityTags, Variant } from '../contract/service-parts.ts'
import { codings } from './content-coding.ts'

/** `shaping` determines every answer of this process in addition to its schema: the release and the base of links. */
export const entityTagsFor = (
  shaping: readonly string[],
  representations: readonly string[],
): ((schema: Schema) => EntityTags) => {
  const marks = marksOf(shaping, representations)
  const known = new Set(marks.values())
  return bySchema((schema) => tagsOf(marks, known, schema))
}

function marksOf(shaping: readonly string[], representations: readonly string[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>()
  for (const representation of representations) {
    for (const coding of [undefined, ...codings]) {
      for (const forReader of [false, true]) {
        const key = keyOf({ representation, coding, forReader })
        marks.set(key, markOf([...shaping, key]))
      }
    }
  }
  return marks
}

/** The model's version is part of a tag: another model shows a state otherwise, though it is the same state. */
function tagsOf(
  marks: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  { version, changedAt = '' }: Schema,
): EntityTags {
  const model = version === 0 ? '' : `.${version.toString(36)}`
  return {
    tag(state, shape) {
      const mark = marks.get(keyOf(shape))
      if (mark === undefined) throw new Error(`no tag is known for ${keyOf(shape)}`)
      // The instant distinguishes a thing from an earlier one with the same id, whose revisions also began at 1.
      const instant = shortened(state.updatedAt)
      const beside = state.beside ? `-${shortened(state.beside)}` : ''
      return `"${state.revision}-${instant}-${mark}${model}${beside}"`
    },
    stateOf(tag) {
      const [, revision, instant, mark] =
        /^"([1-9]\d{0,15})-([0-9a-z]{1,9})-([\w-]{8})(?:\.[0-9a-z]{1,11})?(?:-[0-9a-z]{1,9})?"$/.exec(tag) ?? []
      if (instant === undefined || mark === undefined || !known.has(mark)) return undefined
      const time = Number.parseInt(instant, 36)
      if (time > LATEST) return undefined
      return { revision: Number(revision), updatedAt: new Date(time).toISOString() }
    },
    dated: (state) =>
      changedAt <= state.updatedAt ? state : { ...state, updatedAt: changedAt, previousAt: state.updatedAt },
  }
}

/** An instant in base 36, in two parts: V8 writes small integers twice as fast. */
function shortened(instant: string): string {
  const milliseconds = Date.parse(instant)
  const low = milliseconds % FOUR_DIGITS
  return ((milliseconds - low) / FOUR_DIGITS).toString(36) + low.toString(36).padStart(4, '0')
}

const FOUR_DIGITS = 36 ** 4

const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

const keyOf = ({ representation, coding, forReader = false }: Variant): string =>
  `${representation}${coding === undefined ? '' : ` ${coding}`}${forReader ? ' reader' : ''}`

const markOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 8)

/** The names of a representation in tags, one for each media type. */
export const taggedNames = (representation: Representation): readonly string[] =>
  representation.mediaTypes.map((type) => taggedName(representation, contentTypeFor(representation, type)))

export const taggedName = ({ name, contentType: usual }: Representation, contentType: string): string =>
  contentType === usual ? name : contentType
