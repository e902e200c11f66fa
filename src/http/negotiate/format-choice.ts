import { representations } from '../../representations/representations.ts'

export interface FormatChoice {
  /** The address without its suffix. */
  readonly url: string
  /** The format asked for in the address, known or not. */
  readonly forced?: string
}

/**
 * Finds the format that an address asks for: by a registered suffix of its path, on GET and HEAD, or else by `format`
 * in its query, which stays there. `literalPaths` are routes whose own name ends like a suffix: /openapi.json.
 * Runs before routing on every request: an address with neither costs two or three searches and nothing more.
 */
export function chooseFormat(method: string, url: string, literalPaths: ReadonlySet<string>): FormatChoice {
  const mark = url.indexOf('?')
  const end = mark === -1 ? url.length : mark
  const dot = url.lastIndexOf('.', end - 1)
  if (dot !== -1 && (method === 'GET' || method === 'HEAD')) {
    const suffix = url.slice(dot + 1, end)
    if (suffixes.has(suffix) && url.startsWith('/') && !literalPaths.has(url.slice(0, end))) {
      return { url: url.slice(0, dot) + url.slice(end), forced: suffix }
    }
  }
  const forced = mark === -1 ? undefined : formatInQuery(url, mark + 1)
  return forced === undefined ? { url } : { url, forced }
}

const suffixes: ReadonlySet<string> = new Set(representations.map(({ name }) => name))

function formatInQuery(url: string, start: number): string | undefined {
  let found: string | undefined
  for (let at = url.indexOf('format', start); at !== -1; at = url.indexOf('format', at + 6)) {
    const after = url[at + 6]
    if ((at > start && url[at - 1] !== '&') || (after !== undefined && after !== '=' && after !== '&')) continue
    const next = url.indexOf('&', at)
    const value = decode(url.slice(at + 7, next === -1 ? url.length : next))
    // Two different formats count as an unknown one.
    found = found === undefined || found === value ? value : `${found},${value}`
  }
  return found
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
