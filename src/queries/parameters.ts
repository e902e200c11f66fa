/** A query parameter as it was sent. */
export interface Parameter {
  readonly name: string
  /** Nothing when there was no `=`. */
  readonly value: string | undefined
  /** As it stood in the address. */
  readonly raw: string
}

/** What is wrong with a query, and which parameter says so. */
export interface ParameterFault {
  readonly parameter: string
  readonly detail: string
}

export type ReadParameter = Parameter | { readonly fault: ParameterFault }

/** The parameters of a raw query string (what follows the `?`), in their order. */
export function readParameters(query: string): readonly ReadParameter[] {
  return query
    .split('&')
    .filter((raw) => raw !== '')
    .map(readParameter)
}

function readParameter(raw: string): ReadParameter {
  const at = raw.indexOf('=')
  const name = decode(at === -1 ? raw : raw.slice(0, at))
  const value = at === -1 ? undefined : decode(raw.slice(at + 1))
  if (name !== BAD && value !== BAD) return { name, value, raw }
  const parameter = name === BAD ? (at === -1 ? raw : raw.slice(0, at)) : name
  return { fault: { parameter, detail: 'must be percent-encoded UTF-8' } }
}

/** The values of a list: commas part them, an encoded one belongs to a value. */
export function listed({ raw }: Parameter): readonly string[] {
  const value = raw.slice(raw.indexOf('=') + 1)
  // What could be decoded as a whole can be decoded in parts.
  return value.split(',').map((part) => String(decode(part)))
}

const BAD = Symbol('not decodable')

/** As HTML forms encode: `+` is a space. */
function decode(text: string): string | typeof BAD {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return BAD
  }
}
