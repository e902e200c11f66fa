/**
 * Values as the text of an array. The driver would quote and escape each of them with regular expressions; most of our
 * texts need neither, and most of the others are JSON. https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO
 */
export function arrayText(values: readonly unknown[]): string {
  let text = '{'
  for (const [at, value] of values.entries()) {
    if (at > 0) text += ','
    text += typeof value === 'string' ? quoted(value) : (value ?? 'NULL')
  }
  return `${text}}`
}

function quoted(value: string): string {
  if (!needsEscape.test(value)) return `"${value}"`
  // JSON escapes quotes and backslashes as arrays do, and apart from those only the following.
  return escapedByJson.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : JSON.stringify(value)
}

const needsEscape = /["\\]/
const escapedByJson = /[\u0000-\u001f\ud800-\udfff]/
