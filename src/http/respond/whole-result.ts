import { setImmediate } from 'node:timers/promises'
import { readParameters } from '../../queries/parameters.ts'
import { pagingNames, placeNames } from '../../queries/place.ts'
import type { Query } from '../../queries/query.ts'
import { csvHeader, csvRows } from '../../representations/csv.ts'
import { itemsOf, readDocument } from '../../representations/read-document.ts'
import type { RepresentationName } from '../../representations/representation.ts'
import { project } from './project.ts'

/** Writes the whole result of a query, batch by batch, from the lines of JSON that the store streams. */
export interface Wholly {
  /** Sent before the first batch, and without one. */
  readonly beginning: string
  /** Converts the texts of a batch; absent where its bytes are sent unchanged. */
  readonly batch?: (texts: readonly string[]) => string
}

const ofOnePage: ReadonlySet<string> = new Set([...placeNames, 'maxpagesize'])

/** Parameters that ask for one page, which NDJSON never is. */
export const refusedForLines = (search: string): readonly string[] => namesIn(search, pagingNames)

/** NDJSON is the whole result; so is CSV, unless the address asks for one page. */
export const isWhole = (representation: RepresentationName, search: string): boolean =>
  representation === 'ndjson' || (representation === 'csv' && namesIn(search, ofOnePage).length === 0)

function namesIn(search: string, names: ReadonlySet<string>): readonly string[] {
  const sent = readParameters(search).flatMap((each) => ('name' in each && names.has(each.name) ? [each.name] : []))
  return [...new Set(sent)]
}

/** `present` converts an item's stored text to what is shown, where they differ. */
export function linesOfJson({ fields }: Query, present: ((json: string) => string) | undefined): Wholly {
  if (present === undefined && fields === undefined) return { beginning: '' }
  const line = (json: string): string => {
    const whole = present === undefined ? json : present(json)
    return `${fields === undefined ? whole : project(whole, fields)}\n`
  }
  return { beginning: '', batch: (texts) => texts.map(line).join('') }
}

export function rowsOfCsv(columns: readonly string[], present: ((json: string) => string) | undefined): Wholly {
  const shown = (texts: readonly string[]) => (present === undefined ? texts : texts.map(present))
  return {
    beginning: csvHeader(columns),
    batch: (texts) => csvRows(itemsOf(readDocument(`[${shown(texts).join()}]`)), columns),
  }
}

const AT_A_TIME = 100

/** One batch is in memory at a time, whatever the size of the result. `first` is already read, to see errors early. */
export async function* wholeResult(
  { beginning, batch }: Wholly,
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  try {
    if (beginning !== '') yield encoder.encode(beginning)
    for (let next = first; !next.done; next = await rest.next()) {
      if (batch === undefined) {
        yield next.value
        continue
      }
      const texts = decoder.decode(next.value).split('\n').slice(0, -1)
      for (let at = 0; at < texts.length; at += AT_A_TIME) {
        // Yield to other requests: a thousand long texts would keep them waiting.
        if (at > 0) await setImmediate()
        yield encoder.encode(batch(texts.slice(at, at + AT_A_TIME)))
      }
    }
  } finally {
    await rest.return?.()
  }
}
