import { fault, type Reason, reason } from '../faults/fault.ts'
import type { Kind, Read, WordGroup } from './kind.ts'

// XML 1.0, a store or a terminal cannot carry these: controls other than TAB, LF and CR, and non-characters.
const uncarriable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/

/** The reason why some representation or store cannot carry a text, or undefined. */
export function textFault(text: string): Reason | undefined {
  if (!text.isWellFormed()) return reason('forbidden-characters', { wants: 'no-lone-surrogate' })
  const found = uncarriable.exec(text)
  if (found === null) return undefined
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return reason('forbidden-characters', { wants: 'no-control', character: `U+${code}` })
}

/** In a form, the list of the fields whose texts end their lines with CRLF. */
export const WITH_CRLF = '_crlf'

interface TextLimits {
  readonly min: number
  readonly max: number
  readonly pattern?: { readonly regex: RegExp; readonly fault: Reason }
}

/** Text of min to max code points, stored exactly as sent. */
export const text = (limits: TextLimits): Kind<string> => textKind(limits, (raw) => raw)

/** The same for names: surrounding white space is trimmed. */
export const nameText = (limits: TextLimits): Kind<string> => textKind(limits, (raw) => raw.trim())

/** The id that a thing has in another system. */
export const reference: Kind<string> = text({ min: 1, max: 100 })

function textKind(limits: TextLimits, kept: (raw: string) => string): Kind<string> {
  const read = (raw: unknown): Read<string> => {
    if (typeof raw !== 'string') return fault('type', { wants: 'string' })
    const value = kept(raw)
    const bad = textFault(raw) ?? lengthFault(value, limits) ?? patternFault(value, limits)
    return bad === undefined ? { value } : { fault: bad }
  }
  return {
    name: 'text',
    schema: {
      type: 'string',
      ...(limits.min > 0 && { minLength: limits.min }),
      maxLength: limits.max,
      ...(limits.pattern && { pattern: limits.pattern.regex.source }),
    },
    nullable: false,
    read,
    readText: read,
    readFilter: (raw) => (raw === '' && limits.min > 0 ? fault('blank') : readTextFilter(raw)),
    write: (value) => value,
  }
}

/** Read without checks: a part of a value need not meet the rules for the whole. */
function readTextFilter(raw: string): Read<string> {
  const bad = textFault(raw)
  return bad === undefined ? { value: raw } : { fault: bad }
}

function lengthFault(value: string, { min, max }: TextLimits): Reason | undefined {
  if (value === '' && min > 0) return reason('blank')
  if (min > 0 && !isVisible(value)) return reason('blank', { wants: 'visible-character' })
  if (value.length < min) return reason('too-short', { min })
  if (value.length <= max) return undefined
  const length = codePoints(value)
  return length > max ? reason('too-long', { max, length }) : undefined
}

const patternFault = (value: string, { pattern }: TextLimits): Reason | undefined =>
  pattern === undefined || pattern.regex.test(value) ? undefined : pattern.fault

/** Whether a text shows anything. */
export const isVisible = (text: string): boolean => visible.test(text)

// Characters that show something: not white space, U+200B, joiners, fillers or the empty Braille pattern.
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u

function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count++
  return count
}

/**
 * One of a closed list of words, which sort and compare in the order of the list. A long list has a name, which a fault
 * gives instead of the words.
 */
export function choice<const T extends string>(values: readonly T[], named?: string): Kind<T> {
  const known = new Set<string>(values)
  const notOneOf = fault('not-one-of', named === undefined ? { values } : { wants: named })
  const read = (raw: unknown): Read<T> => (typeof raw === 'string' && known.has(raw) ? { value: raw as T } : notOneOf)
  return {
    name: 'choice',
    schema: { type: 'string', enum: values },
    nullable: false,
    ...(!isSorted(values) && { ranks: ranksOf(values) }),
    read,
    readText: read,
    write: (value) => value,
  }
}

/** A choice whose values and their order can be changed while the service runs: what has left them is behind them. */
export const arranged = (values: readonly string[]): Kind<string> => ({
  ...choice(values),
  ranks: ranksOf(values),
  arranged: true,
})

/** One of several lists of words with their titles: of the list that another field of the thing names. */
export function choiceWithin(field: string, groups: ReadonlyMap<string, WordGroup>): Kind<string> {
  let rank = 0
  const ranks = [...groups].map(
    ([of, { words }]) => [of, new Map([...words.keys()].map((word) => [word, rank++]))] as const,
  )
  const all = [...groups.values()].flatMap(({ words }) => [...words])
  return {
    ...arranged([...new Set(all.map(([word]) => word))]),
    // Of equal words, the title of the first.
    words: new Map(all.toReversed()),
    within: { field, ranks: new Map(ranks), groups },
  }
}

const ranksOf = (values: readonly string[]) => new Map(values.map((value, rank) => [value, rank]))

const isSorted = (values: readonly string[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? '') < value)

export const capitalized = <T extends string>(text: T): Capitalize<T> =>
  (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<T>
