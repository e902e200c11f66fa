/** One media range of an Accept header, in lower case. */
export interface MediaRange {
  readonly type: string
  readonly subtype: string
  /** From 0, not acceptable, to 1. */
  readonly weight: number
  /** Whether it has parameters besides its weight, such as a charset. */
  readonly parametrised: boolean
}

/** RFC 9110 §12.5.1. A malformed range is ignored. */
export function parseAccept(header: string): readonly MediaRange[] {
  const ranges: MediaRange[] = []
  for (const element of splitOutsideQuotes(header, ',')) {
    const range = parseRange(element)
    if (range !== undefined) ranges.push(range)
  }
  return ranges
}

export interface Acceptance {
  readonly weight: number
  /** How specific the range is; the most specific one decides the weight. */
  readonly specificity: number
  /** The range's position in the header. */
  readonly place: number
}

/** The best match of the ranges for a media type in lower case; undefined if none matches. */
export function acceptanceOf(mediaType: string, ranges: readonly MediaRange[]): Acceptance | undefined {
  const [type = '', subtype = ''] = mediaType.split('/')
  let best: Acceptance | undefined
  for (const [place, range] of ranges.entries()) {
    const specificity = specificityFor(type, subtype, range)
    if (specificity > (best?.specificity ?? 0)) best = { weight: range.weight, specificity, place }
  }
  return best
}

/** The type that the client prefers, the first of equals; undefined if it takes none of them. */
export function preferredType<T extends string>(
  accept: string | undefined,
  types: readonly [T, ...T[]],
): T | undefined {
  if (accept === undefined || accept.trim() === '') return types[0]
  const ranges = parseAccept(accept)
  const weightOf = (type: T): number => acceptanceOf(type, ranges)?.weight ?? 0
  const best = types.reduce((best, each) => (weightOf(each) > weightOf(best) ? each : best))
  return weightOf(best) > 0 ? best : undefined
}

/** Whether the header names this type, given in lower case, and not only by a wildcard. */
export function namesType(header: string | undefined, mediaType: string): boolean {
  if (header === undefined || !header.toLowerCase().includes(mediaType)) return false
  const found = acceptanceOf(mediaType, parseAccept(header))
  return found !== undefined && found.weight > 0 && found.specificity >= NAMED
}

const NAMED = 3

/**
 * Our types have no variants by parameter, so `application/json; charset=utf-8` matches JSON; a range without
 * parameters is more specific.
 */
function specificityFor(type: string, subtype: string, range: MediaRange): number {
  if (range.type === '*') return 1
  if (range.type !== type) return 0
  if (range.subtype === '*') return 2
  if (range.subtype !== subtype) return 0
  return range.parametrised ? NAMED : NAMED + 1
}

function parseRange(element: string): MediaRange | undefined {
  const [range = '', ...parameters] = splitOutsideQuotes(element, ';')
  const name = range.trim().toLowerCase()
  // Java's own client sends a bare `*`.
  const [type, subtype, rest] = name === '*' ? ['*', '*'] : name.split('/')
  if (!type || !subtype || rest !== undefined || (type === '*' && subtype !== '*')) return undefined
  let parametrised = false
  for (const parameter of parameters) {
    const weight = weightText.exec(parameter)?.[1]
    if (weight === undefined) parametrised ||= parameter.trim() !== ''
    // Parameters after the weight were extensions of Accept, not of the type (RFC 9110 appendix B).
    else return isWeight.test(weight) ? { type, subtype, weight: Number(weight), parametrised } : undefined
  }
  return { type, subtype, weight: 1, parametrised }
}

export const weightText = /^\s*q\s*=\s*(.*?)\s*$/i
// RFC 9110 §12.4.2, and the variants that clients send: `.2`, `0.33333`.
export const isWeight = /^(0?\.\d+|0\.?|1(\.0*)?)$/

export function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    if (quoted && text[i] === '\\') i++
    else if (text[i] === '"') quoted = !quoted
    else if (!quoted && text[i] === separator) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
