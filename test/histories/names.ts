import type { Answer } from './sides.ts'

// The stores give other ids to the same things, and other instants, places in the feed and validators. An id is known
// by a name here: that of the step whose answer showed it first, and its place among the new ones there. A step names
// things so, too, so that steps can be left out and those that remain mean the same things.

/** The names of the ids of one store. */
export class Names {
  readonly #names = new Map<string, string>()
  readonly #ids = new Map<string, string>()
  #step = 0
  #nth = 0

  /** The ids that come up from now on are named after this step. */
  begin(step: number): void {
    this.#step = step
    this.#nth = 0
  }

  /** A text of the store with names for its ids. */
  named(text: string): string {
    return text.replaceAll(NUMBER, '"$&"').replaceAll(ID, (id) => {
      const key = id.toLowerCase()
      const name = this.#names.get(key) ?? this.#nameNew(key)
      return key === id ? name : name.replace('ID', 'UP')
    })
  }

  knows(id: string): boolean {
    return this.#names.has(id.toLowerCase())
  }

  #take(id: string, name: string): void {
    this.#names.set(id.toLowerCase(), name)
    this.#ids.set(name, id)
  }

  /** A text with the store's ids for its names. A thing that is not there has an id that nothing has. */
  filled(text: string): string {
    return text
      .replaceAll(QUOTED, (quoted, name: string) => {
        const id = this.#idOf(name)
        return /^\d+$/.test(id) ? id : quoted
      })
      .replaceAll(NAME, (name) => {
        const id = this.#idOf(name.replace('UP', 'ID'))
        return name.startsWith('UP') ? id.toUpperCase() : id
      })
  }

  #nameNew(id: string): string {
    const name = `ID${this.#step}n${this.#nth++}Z`
    this.#take(id, name)
    return name
  }

  readonly #idOf = (name: string): string => this.#ids.get(name) ?? NOBODY
}

const NOBODY = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|(?:\b|(?<=%3[c-e]))7000\d{5}\b/gi
/** In JSON it becomes a text, as its name is one. */
const NUMBER = /(?<=[:,[])7000\d{5}(?=[,}\]])/g
const NAME = /\b(?:ID|UP)\d+n\d+Z/g
/** A JSON text that is nothing but a name: the ids of customers are numbers. */
const QUOTED = /(?<!\\)"(ID\d+n\d+Z)"/g

/** An answer as both stores must give it. */
export function comparable({ status, headers, text }: Answer, names: Names): string {
  const told = Object.entries(headers)
    .filter(([name]) => !ofTheMoment.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted()
  const type = String(headers['content-type'])
  // Where items part, SQLite writes a line of each.
  const shown = /spreadsheetml|zip/.test(type) ? '' : /\bjson\b/.test(type) ? text.replaceAll(',\n{', ',{') : text
  const named = timeless(names.named(`${status}\n${told.join('\n')}\n\n${shown}`))
  return type.includes('ndjson') ? withRowsTogether(named) : withHitsTogether(named)
}

/** A search has the latest first, and the commands of a batch may have one instant or several. */
const withHitsTogether = (json: string): string =>
  json.replaceAll(HITS, (hits) =>
    hits
      .split(/(?<=\}),/)
      .toSorted()
      .join(','),
  )

const HITS =
  /\{"type":[^{}]*"match":"(\w+)","updatedAt":"NOW"[^{}]*\}(?:,\{"type":[^{}]*"match":"\1","updatedAt":"NOW"[^{}]*\})+/g

/** Rows of a file take effect together: what they do to one thing has an order, and what they make, but not all of it. */
export const withRowsTogether = (lines: string): string =>
  lines.replaceAll(/(?:^.*"form":"import".*\n)+/gm, (rows) =>
    rows
      .split(/(?<=\n)/)
      .toSorted((one, other) => subjectIn(one).localeCompare(subjectIn(other)))
      .join(''),
  )

const subjectIn = (line: string): string => /"subject":"([^"]*)"/.exec(line)?.[1] ?? ''

const ofTheMoment = new Set([
  ...['date', 'etag', 'last-modified', 'request-id', 'content-length', 'keep-alive', 'connection'],
  ...['transfer-encoding', 'content-encoding', 'retry-after'],
])

/** A text without what depends on when it was written: instants of these days, places in the feed, cursors. */
export function timeless(text: string): string {
  return text
    .replaceAll(INSTANT, (instant) => (isOfNow(instant) ? 'NOW' : instant))
    .replaceAll(CALENDAR, (instant) => (isOfNow(instant.replace(CALENDAR, '$1-$2-$3T$4:$5:$6Z')) ? 'NOW' : instant))
    .replaceAll(/("cursor":|"(?:start|end)Cursor":)"[^"]*"/g, '$1"?"')
    .replaceAll(/\b000\d{13,}\b/g, 'SEQUENCE')
    .replaceAll(/"size":\d+/g, '"size":"?"')
    .replaceAll(TAG, '$1-TAG')
    .replaceAll(/urn:dealdesk:request:[\w-]+/g, 'REQUEST')
    .replaceAll(/\b(after|before)=[^&"<>\s;]+/g, '$1=?')
    .replaceAll(/"after":"[^"]*"/g, '"after":"?"')
}

/** A validator has the beginning of the database in it. */
const TAG = /\b(\d+)-[0-9a-z]{8}-[\w.-]+/g
const INSTANT = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
/** As calendars write them. */
const CALENDAR = /\b(20\d\d)(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/g
const begun = Date.now() - 3_600_000
const isOfNow = (instant: string): boolean => Date.parse(instant) > begun && Date.parse(instant) < Date.now() + 60_000
