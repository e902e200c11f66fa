import { isUtf8 } from 'node:buffer'
import { parseJson, repeatedMember } from './parse-json.ts'
import type { Problem } from './problem.ts'

const DEEPEST = 32
const TOO_DEEP = `The body is nested deeper than ${DEEPEST} levels.`

/** A JSON body, or what is wrong with it. An empty one is no body. */
export function readJson(bytes: Buffer): { readonly body: unknown } | { readonly problem: Problem } {
  if (bytes.length === 0) return { body: undefined }
  if (!isUtf8(bytes)) return malformed('The body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  try {
    const body = parseJson(text)
    const bad = poisoned(body, 0)
    if (bad !== undefined) return malformed(bad)
    const repeated = repeatedMember(text, body)
    return repeated === undefined ? { body } : givenTwice(repeated)
  } catch (cause) {
    if (cause instanceof RangeError) return malformed(TOO_DEEP)
    return malformed(`The body is not JSON: ${cause instanceof Error ? cause.message : 'unreadable'}.`)
  }
}

const givenTwice = (pointer: string): { readonly problem: Problem } => ({
  problem: {
    code: 'malformed-body',
    detail: `The member ${pointer} is given twice.`,
    errors: [{ pointer, detail: 'is given twice' }],
  },
})

/** The fields of an HTML form as text; a field may stand once, and an empty one is absent. */
export function readForm(
  bytes: Buffer,
): { readonly fields: ReadonlyMap<string, string> } | { readonly problem: Problem } {
  if (!isUtf8(bytes)) return malformed('The form is not valid UTF-8.')
  const content = bytes.toString('utf8')
  if (!isEscaped(content)) return malformed('The form has a percent escape that is not UTF-8.')
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(content)) {
    if (fields.has(name)) return malformed(`The field ${JSON.stringify(name)} is sent twice.`)
    // A form sends line breaks as CRLF whatever the person typed.
    if (value !== '') fields.set(name, value.replaceAll('\r\n', '\n'))
  }
  return { fields }
}

/** URLSearchParams would put U+FFFD in the place of what cannot be read. */
function isEscaped(content: string): boolean {
  try {
    decodeURIComponent(content)
    return true
  } catch {
    return false
  }
}

const malformed = (detail: string): { readonly problem: Problem } => ({ problem: { code: 'malformed-body', detail } })

/** Members that could reach a prototype are refused, and so is a depth that no request needs. */
function poisoned(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === DEEPEST) return TOO_DEEP
  if (Object.hasOwn(value, '__proto__')) return 'The body has a member named __proto__.'
  for (const member of Object.values(value)) {
    const bad = poisoned(member, depth + 1)
    if (bad !== undefined) return bad
  }
  return undefined
}
