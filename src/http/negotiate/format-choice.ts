import { noQuery, type QueryString, readQueryString } from '../../queries/query-string.ts'
import { representations } from '../../representations/representations.ts'

export interface FormatChoice {
  /** The address without its suffix. */
  readonly url: string
  readonly query: QueryString
  /** The format that the address asks for, known or not. */
  readonly forced?: string
}

/**
 * Finds the format that an address asks for: by a registered suffix of its path, on GET and HEAD, or else by `format`
 * in its query, which stays there. `hasNoSuffix` recognises paths whose own name ends like one: /openapi.json, and
 * those of doors. Runs before routing on every request: an address without either costs only two searches.
 */
export function chooseFormat(method: string, url: string, hasNoSuffix: (path: string) => boolean): FormatChoice {
  const mark = url.indexOf('?')
  const end = mark === -1 ? url.length : mark
  const query = mark === -1 ? noQuery : readQueryString(url.slice(mark + 1))
  const dot = url.lastIndexOf('.', end - 1)
  if (dot !== -1 && (method === 'GET' || method === 'HEAD')) {
    const suffix = url.slice(dot + 1, end)
    if (suffixes.has(suffix) && url.startsWith('/') && !hasNoSuffix(url.slice(0, end))) {
      return { url: ownName(url.slice(0, dot)) + url.slice(end), query, forced: suffix }
    }
  }
  const forced = formatIn(query)
  return forced === undefined ? { url, query } : { url, query, forced }
}

const suffixes: ReadonlySet<string> = new Set(representations.map(({ name }) => name))

/** The rest may itself end like a suffix: its dot is escaped, so that links lead to it. */
function ownName(path: string): string {
  const dot = path.lastIndexOf('.')
  const end = path.slice(dot + 1)
  return dot !== -1 && suffixes.has(end) ? `${path.slice(0, dot)}%2E${end}` : path
}

function formatIn({ parameters }: QueryString): string | undefined {
  let found: string | undefined
  for (const { name, value = '' } of parameters) {
    if (name !== 'format') continue
    // Two different formats count as an unknown one.
    found = found === undefined || found === value ? value : `${found},${value}`
  }
  return found
}
