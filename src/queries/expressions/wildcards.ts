// Patterns for a whole text: `%` is any text, `_` is one character, `\` escapes.

/** From a pattern in which `*` is also any text, as in PostgREST. */
export const withPercents = (pattern: string): string =>
  pattern.replaceAll(/\\([\s\S])|\*/g, (sign, escaped) => (sign === '*' ? '%' : escaped === '*' ? '*' : sign))

/** The same pattern for a syntax in which `*` is also any text. */
export const withPlainStars = (pattern: string): string => pattern.replaceAll('*', '\\*')

/** The regular expression that matches exactly the same texts. */
export function regexOf(pattern: string): string {
  const signs = pattern.match(/\\[\s\S]|[\s\S]/gu) ?? []
  const opens = signs[0] === '%'
  const closes = signs.length > 1 && signs.at(-1) === '%'
  const inner = signs.slice(opens ? 1 : 0, closes ? -1 : undefined)
  const body = inner.map((sign) => (sign === '%' ? '.*' : sign === '_' ? '.' : quoted(sign))).join('')
  // A dot otherwise matches no line break.
  const flags = inner.includes('%') || inner.includes('_') ? '(?s)' : ''
  return `${flags}${opens ? '' : '^'}${body}${closes || pattern === '%' ? '' : '$'}` || '^'
}

const quoted = (sign: string): string => sign.replace(/^\\(?=[\s\S])/, '').replace(/[\\^$.|?*+()[\]{}]/, '\\$&')
