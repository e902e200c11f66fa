import { type Fault, fault } from '../faults/fault.ts'
import { isObject } from '../json/is-object.ts'
import { pointerTo } from '../json/pointer.ts'
import type { JsonSchema, Kind, Read } from './kind.ts'
import { structure } from './structure.ts'
import { nameText } from './text.ts'

/** Titles by language. */
type Titles = Readonly<Record<string, string>>

export const titleSchema: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 }

/** The most languages in which something has a title. */
const MOST_TITLES = 50
export const titlesSchema: JsonSchema = {
  type: 'object',
  maxProperties: MOST_TITLES,
  additionalProperties: titleSchema,
}

/** Its parts are checked by `titleFaults`, so that a fault points at the part. */
export const titlesKind: Kind<Titles> = structure(
  titlesSchema,
  (raw): Read<Titles> => (isObject(raw) ? { value: raw as Titles } : fault('type', { wants: 'object' })),
)

export const title: Kind<string> = nameText({ min: 1, max: 200 })
const language = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** The faults of titles, each at its language below `at`. */
export function titleFaults(titles: unknown, at: string): readonly Fault[] {
  if (!isObject(titles)) return [{ code: 'type', with: { wants: 'object' }, at: { pointer: at } }]
  if (Object.keys(titles).length > MOST_TITLES)
    return [{ code: 'too-many-values', with: { wants: 'list', max: MOST_TITLES }, at: { pointer: at } }]
  return Object.entries(titles).flatMap(([tag, text]): Fault[] => {
    const pointer = at + pointerTo(tag)
    if (!language.test(tag)) return [{ code: 'malformed', with: { wants: 'language' }, at: { pointer } }]
    const read = title.read(text)
    return 'fault' in read ? [{ ...read.fault, at: { pointer } }] : []
  })
}

/** Titles by language are trimmed as every title is. */
export const trimmed = (titles: Titles): Titles =>
  Object.fromEntries(Object.entries(titles).map(([language, title]) => [language, title.trim()]))
