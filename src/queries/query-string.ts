/** The query of an address (what follows the `?`), read once for each call. */
export interface QueryString {
  /** As it was sent. */
  readonly text: string
  /** In their order. */
  readonly parameters: readonly Parameter[]
}

/** A parameter of a query. */
export interface Parameter {
  readonly name: string
  /** Nothing when there was no `=`. */
  readonly value: string | undefined
  /** As it stood in the address. */
  readonly raw: string
  /** Why it cannot be decoded; what cannot be is then as it was sent. */
  readonly fault: string | undefined
}

/** What is wrong with a query, and which parameter says so. */
export interface ParameterFault {
  readonly parameter: string
  readonly detail: string
}

export const noQuery: QueryString = { text: '', parameters: [] }

export function readQueryString(text: string): QueryString {
  if (text === '') return noQuery
  const parameters: Parameter[] = []
  for (const raw of text.split('&')) if (raw !== '') parameters.push(readParameter(raw))
  return { text, parameters }
}

function readParameter(raw: string): Parameter {
  const at = raw.indexOf('=')
  const sentName = at === -1 ? raw : raw.slice(0, at)
  const sentValue = at === -1 ? undefined : raw.slice(at + 1)
  const name = decode(sentName)
  const value = sentValue === undefined ? undefined : decode(sentValue)
  const isBad = name === undefined || (sentValue !== undefined && value === undefined)
  return { name: name ?? sentName, value: value ?? sentValue, raw, fault: isBad ? NOT_DECODABLE : undefined }
}

const NOT_DECODABLE = 'must be percent-encoded UTF-8'

/** The values of a list: commas part them, an encoded one belongs to a value. */
export function listed({ raw }: Parameter): readonly string[] {
  const value = raw.slice(raw.indexOf('=') + 1)
  // What could be decoded as a whole can be decoded in parts.
  return value.split(',').map((part) => decode(part) ?? part)
}

/** As HTML forms encode: `+` is a space. */
function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
