import { fault, type Kind, type Read } from './kind.ts'

// XML 1.0, a store or a terminal cannot carry these: controls other than TAB, LF and CR, and non-characters.
const uncarriable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/

/** The reason why some representation or store cannot carry a text, or undefined. */
export function textFault(text: string): string | undefined {
  if (!text.isWellFormed()) return 'must not contain a lone surrogate'
  const found = uncarriable.exec(text)
  if (found === null) return undefined
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `must not contain the control character U+${code}`
}

interface TextLimits {
  readonly min: number
  readonly max: number
  readonly pattern?: { readonly regex: RegExp; readonly detail: string }
}

/** Text of min to max code points, kept exactly as it was sent. */
export const text = (limits: TextLimits): Kind<string> => textKind(limits, (raw) => raw)

/** The same for names: surrounding white space is trimmed. */
export const nameText = (limits: TextLimits): Kind<string> => textKind(limits, (raw) => raw.trim())

function textKind(limits: TextLimits, kept: (raw: string) => string): Kind<string> {
  const read = (raw: unknown): Read<string> => {
    if (typeof raw !== 'string') return fault('must be a string')
    const bad = textFault(raw)
    if (bad !== undefined) return fault(bad)
    const value = kept(raw)
    const long = lengthFault(value, limits)
    if (long !== undefined) return fault(long)
    if (limits.pattern !== undefined && !limits.pattern.regex.test(value)) return fault(limits.pattern.detail)
    return { value }
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
    readFilter: (raw) => (raw === '' && limits.min > 0 ? fault('must not be empty') : readTextFilter(raw)),
    write: (value) => value,
  }
}

/** Read without checks: a part of a value need not meet the rules for the whole. */
function readTextFilter(raw: string): Read<string> {
  const bad = textFault(raw)
  return bad === undefined ? { value: raw } : fault(bad)
}

function lengthFault(value: string, { min, max }: TextLimits): string | undefined {
  if (value === '' && min > 0) return 'must not be empty'
  if (min > 0 && !visible.test(value)) return 'must contain a visible character'
  if (value.length < min) return `must have at least ${min} characters`
  if (value.length <= max) return undefined
  const length = codePoints(value)
  return length > max ? `must have at most ${max} characters, not ${length}` : undefined
}

// Characters that show something: not white space, U+200B, joiners, fillers or the empty Braille pattern.
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u

function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count++
  return count
}

/** One of a closed list of words, which sort and compare in the order of the list. */
export function choice<const T extends string>(values: readonly T[], what = values.join(', ')): Kind<T> {
  const known = new Set<string>(values)
  const detail = `must be one of ${what}`
  const read = (raw: unknown): Read<T> =>
    typeof raw === 'string' && known.has(raw) ? { value: raw as T } : fault(detail)
  return {
    name: 'choice',
    schema: { type: 'string', enum: values },
    nullable: false,
    ...(!isSorted(values) && { ranks: new Map(values.map((value, rank) => [value, rank])) }),
    read,
    readText: read,
    write: (value) => value,
  }
}

const isSorted = (values: readonly string[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? '') < value)

export const capitalized = <T extends string>(text: T): Capitalize<T> =>
  (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<T>
