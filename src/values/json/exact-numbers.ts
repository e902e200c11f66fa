// A number is its text. JavaScript has doubles, which hold any 15 digits: a number with other digits as a double is kept
// as its text, which JSON.stringify writes unchanged.

/** A number with digits that a double does not hold, or writes differently. */
export interface ExactNumber {
  readonly rawJSON: string
}

export const isExactNumber = (value: unknown): value is ExactNumber => JSON.isRawJSON(value)

/** The number that a text in JSON's syntax is. */
export function numberIn(text: string): number | ExactNumber {
  const number = Number(text)
  return String(number) === text ? number : JSON.rawJSON(text)
}

/** The text of a value that may be such a number. */
export const asText = (value: unknown): string => (isExactNumber(value) ? value.rawJSON : String(value))

/** JSON.parse that keeps every number as it is written. Nearly every document is read the fast way. */
export const parseExact = (json: string): unknown =>
  mayDifferAsDouble(json) ? JSON.parse(json, keepExact) : JSON.parse(json)

const mayDifferAsDouble = (json: string): boolean => hasTinyNumber(json) || hasLongNumber(json)

/** A double has an exponent after six leading zeros. */
function hasTinyNumber(json: string): boolean {
  for (let dot = json.indexOf('.'); dot !== -1; dot = json.indexOf('.', dot + 1))
    if (json.startsWith('000000', dot + 1)) return true
  return false
}

/** One more than a double always holds; the point counts as one of them. */
const LONG = 16

/** Any run of this many characters has one at a position that is looked at. */
function hasLongNumber(json: string): boolean {
  for (let at = LONG - 1; at < json.length; at += LONG) {
    let start = at
    while (isOfNumber(json.charCodeAt(start))) start--
    if (start === at) continue
    let end = at + 1
    while (isOfNumber(json.charCodeAt(end))) end++
    if (end - start > LONG) return true
  }
  return false
}

/** A digit or the point. */
const isOfNumber = (code: number): boolean => (code >= 48 && code <= 57) || code === 46

function keepExact(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined ? numberIn(source) : value
}

// Part of ECMAScript 2026; TypeScript does not declare it yet.
declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber
    isRawJSON(value: unknown): value is ExactNumber
  }
}
