import assert from 'node:assert/strict'
import { parse as parseCsv } from 'csv-parse/sync'
import { XMLParser } from 'fast-xml-parser'
import ICAL from 'ical.js'
import readWorkbook from 'read-excel-file/node'
import { parse as parseYaml } from 'yaml'
import type { AddedKind } from '../../../src/model/source/added-kinds.ts'
import { ownSamples, shownOf } from './samples.ts'

// What stands under `own` in each representation, by a reader that is not the service's own.

// biome-ignore lint/suspicious/noExplicitAny: documents of every shape are looked into.
export type Any = any

/** A thing, its list, an entry of its history, the history, and the feed of events about it. */
export const places = ['thing', 'list', 'entry', 'history', 'events'] as const

export interface Place {
  readonly of: (typeof places)[number]
  /** The name of the resource. */
  readonly noun: string
  /** The id of the thing. */
  readonly id: string | number
  /** The names of its added fields. */
  readonly names: readonly string[]
}

interface RepresentationReader {
  /** The values by the names of the fields. */
  readonly read: (bytes: Buffer, place: Place) => Promise<Any> | Any
  /** How it has the value of a kind, if not as JSON has it. */
  readonly as?: (kind: AddedKind, of: Place['of']) => unknown
  /** Places that it has, and that tell no values. */
  readonly without?: readonly Place['of'][]
}

/** In an item of a list, a thing or an entry. */
function ownIn(item: Any, { of, noun }: Place): Any {
  if (of === 'history' || of === 'entry') return item.params.own
  return of === 'events' ? item.data[noun].own : item.own
}

const fromItems = (items: readonly Any[], place: Place): Any => {
  const found = items.find((item) => (place.of === 'list' ? String(item.id) === String(place.id) : true))
  assert.ok(found, `it is not in the ${place.of}`)
  return ownIn(found, place)
}

const fromData = (data: Any, place: Place): Any =>
  place.of === 'thing' || place.of === 'entry'
    ? ownIn(data, place)
    : fromItems(data.items ?? data._embedded.item ?? data._embedded.items, place)

const parser = new XMLParser({
  ...{ parseTagValue: false, trimValues: false, htmlEntities: true, ignoreAttributes: false },
  processEntities: { enabled: true, maxTotalExpansions: 1e6, maxExpandedLength: 1e7 },
})

/** Names that XML keeps for itself stand in an attribute: `<entry name="xmlName">`. */
function withEntries(own: Any): Any {
  if (own?.entry === undefined) return own
  const entries = listed(own.entry)
  const named = entries.flatMap((each: Any) => (each['@_name'] === undefined ? [] : [[each['@_name'], each['#text']]]))
  // There may be a field of that name too.
  const [entry] = entries.filter((each: Any) => each['@_name'] === undefined)
  return { ...own, entry, ...Object.fromEntries(named) }
}

const listed = (found: Any): readonly Any[] => (Array.isArray(found) ? found : [found])

const cellOf = (kind: AddedKind): unknown => {
  const shown = shownOf(kind)
  return Array.isArray(shown) ? shown.join('; ') : shown
}

/** Of a list, values are cells. */
const inCells =
  (as: (kind: AddedKind) => unknown) =>
  (kind: AddedKind, of: Place['of']): unknown =>
    of === 'list' ? as(kind) : shownOf(kind)

/** A cell of a list is a value; of an entry it is the JSON of its parameters or its data. */
function fromRow(row: { readonly [column: string]: unknown }, place: Place): Any {
  if (place.of === 'history') return JSON.parse(String(row.params)).own
  if (place.of === 'events') return JSON.parse(String(row.data))[place.noun].own
  return Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) => (column.startsWith('own.') ? [[column.slice(4), value]] : [])),
  )
}

const inRows = (rows: readonly { readonly [column: string]: unknown }[], place: Place): Any => {
  const row = rows.find(({ id }) => place.of !== 'list' || String(id) === String(place.id))
  assert.ok(row, `it is not in the ${place.of}`)
  return fromRow(row, place)
}

/** The reader cuts off what a double lacks of the last millisecond. */
const wholeSecond = (cell: unknown): unknown =>
  cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell

const text = (bytes: Buffer): string => bytes.toString()
const xmlOf = (kind: AddedKind): unknown => {
  const shown = shownOf(kind)
  return Array.isArray(shown) ? { item: shown } : String(shown)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The text that people see of a piece of markup. */
export const seenIn = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&([#\w]+);/g, (all, name: string) => entities[name] ?? all)
    .replaceAll(/[\s\u00a0\u202f]+/g, ' ')
    .trim()

/** By the titles that the page has: of a list the heads and the cells of the row, else the terms and what they say. */
function fromPage(page: string, { of, id }: Place): Any {
  if (of === 'list') {
    const heads = [...page.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)].map(([, head = '']) => seenIn(head))
    const row = page.split('<tr').find((each) => each.includes(`/${id}"`)) ?? ''
    const cells = [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => seenIn(cell))
    // A choice has its title in a heading.
    return Object.fromEntries(heads.map((head, at) => [nameIn(head), cells[at]]))
  }
  // The form that changes a value stands behind it.
  const terms = [...page.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)(?:<details class="op".*?)?<\/dd>/gs)]
  return Object.fromEntries(terms.map(([, term = '', said = '']) => [nameIn(seenIn(term)), seenIn(said)]))
}

/** The fields of the tests have their names in their titles: `Title of dateField`. */
const nameIn = (title: string): string => /Title of (\w+)/.exec(title)?.[1] ?? title

export const representationReaders: { readonly [name: string]: RepresentationReader } = {
  json: { read: (bytes, place) => fromData(JSON.parse(text(bytes)), place) },
  hal: { read: (bytes, place) => fromData(JSON.parse(text(bytes)), place) },
  yaml: { read: (bytes, place) => fromData(parseYaml(text(bytes)), place) },
  ndjson: {
    read: (bytes, place) =>
      fromItems(
        text(bytes)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
        place,
      ),
  },
  xml: {
    read(bytes, place) {
      const root = parser.parse(text(bytes))
      if (place.of === 'thing' || place.of === 'entry') return withEntries(ownIn(Object.values(root).at(-1), place))
      return withEntries(fromItems(Object.values(root.collection.items).flatMap(listed), place))
    },
    as: xmlOf,
  },
  atom: {
    read: (bytes, place) =>
      withEntries(
        fromItems(
          listed(parser.parse(text(bytes)).feed.entry).map(({ content }: Any) => content.event ?? content.entry),
          place,
        ),
      ),
    as: xmlOf,
  },
  csv: {
    read: (bytes, place) => inRows(parseCsv(bytes, { columns: true }), place),
    // A spreadsheet would take a phone number for a formula.
    as: inCells((kind) => (kind === 'phone' ? `'${cellOf(kind)}` : String(cellOf(kind)))),
  },
  xlsx: {
    async read(bytes, place) {
      const [sheet] = (await readWorkbook(bytes, { trim: false })) as Any
      const [heads, ...rows] = sheet.data as readonly (readonly unknown[])[]
      assert.ok(heads)
      return inRows(
        rows.map((row) => Object.fromEntries(heads.map((head, at) => [String(head), wholeSecond(row[at])]))),
        place,
      )
    },
    as: inCells((kind) => (kind === 'date' || kind === 'instant' ? new Date(String(shownOf(kind))) : cellOf(kind))),
  },
  ics: {
    read(bytes, { noun, id, names }) {
      const events = new ICAL.Component(ICAL.parse(text(bytes))).getAllSubcomponents('vevent')
      const event = events.find((each) => each.getFirstPropertyValue('uid') === `${noun}-${id}@dealdesk`)
      assert.ok(event)
      const own = event.getAllProperties().filter(({ name }) => name.startsWith('x-own-'))
      return Object.fromEntries(
        own.map((property) => {
          const value = property.getFirstValue()
          const name = names.find((each) => `x-own-${each.toLowerCase()}` === property.name)
          return [name, value instanceof ICAL.Time ? String(value) : value]
        }),
      )
    },
    as: (kind) => (kind === 'instant' ? '2027-01-31T10:00:00Z' : cellOf(kind)),
  },
  html: {
    read: (bytes, place) => fromPage(text(bytes), place),
    as: (kind) => ownSamples[kind].page,
    // Sentences name the fields.
    without: ['history', 'events'],
  },
}
