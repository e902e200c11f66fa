import { fault, type Reason, reason } from '../values/faults/fault.ts'

/** The query of an address (what follows the `?`), parsed once for each request. */
export interface QueryString {
  /** As it was sent. */
  readonly text: string
  /** In their order. */
  readonly parameters: readonly Parameter[]
  /** The content that held it, if it was not in the address alone. */
  readonly sentIn?: 'form' | 'json'
  /** The names that were only in the address, in addition to that content. */
  readonly addressed?: ReadonlySet<string>
}

/** A parameter of a query. */
export interface Parameter {
  readonly name: string
  /** Undefined if there was no `=`. */
  readonly value: string | undefined
  /** As sent, encoded. */
  readonly raw: string
  /** Why it cannot be decoded; name and value are then as sent. */
  readonly fault: Reason | undefined
}

export const noQuery: QueryString = { text: '', parameters: [] }

export function readQueryString(text: string): QueryString {
  if (text === '') return noQuery
  const parameters: Parameter[] = []
  for (const raw of text.split('&')) if (raw !== '') parameters.push(readParameter(raw))
  return { text, parameters }
}

/** A query of these names and values, as if they were in an address. */
export function queryOf(pairs: Iterable<readonly [name: string, value: string]>): QueryString {
  const parameters = Array.from(pairs, ([name, value]): Parameter => {
    const raw = `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`
    return { name, value, raw, fault: undefined }
  })
  return { text: parameters.map(({ raw }) => raw).join('&'), parameters }
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

const NOT_DECODABLE = reason('malformed', { wants: 'percent-encoding' })

/** For a name without a value. */
export const needsValue = fault('required', { wants: 'value' })

/** The values of a list: commas separate them, an encoded comma is part of a value. */
export function listed({ raw }: Parameter): readonly string[] {
  const value = raw.slice(raw.indexOf('=') + 1)
  // The value was decoded as a whole, so its parts can be decoded.
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
