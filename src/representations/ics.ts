import { asText } from '../values/json/exact-numbers.ts'
import { grouped } from '../values/json/places.ts'
import type { CalendarFields, ListedItems } from '../values/listed-items.ts'
import { cellIn, type DataObject, itemsOf, readDocument } from './read-document.ts'
import {
  type ListShape,
  type Representation,
  type WholeWriter,
  writtenAtOnce,
  writtenInParts,
} from './representation.ts'

/**
 * A calendar (RFC 5545): an event for each thing that has a date in the declared field. Calendars know one kind of line
 * break, so CR LF and CR become LF; every other text is read back unchanged. decisions/0037
 */
export const ics: Representation = {
  name: 'ics',
  mediaTypes: ['text/calendar'],
  contentType: 'text/calendar; charset=utf-8',
  problemType: undefined,
  carries: (kind, items) => (kind === 'page' || kind === 'list') && items?.calendar !== undefined,
  write: (document) => writtenAtOnce(writeCalendar, document),
  parts: (document) => writtenInParts(writeCalendar, document),
  schema: {
    name: 'Calendar',
    of: { type: 'string', description: 'A calendar: an event for each item that has a date.' },
  },
  whole: { hasPages: true, isLines: false, hasOwnMembers: true, begin: writeCalendar },
}

export function writeCalendar({ title, items, itemAddress }: ListShape): WholeWriter {
  const { calendar, item: name } = items
  const added = addedIn(items)
  const event = (item: DataObject): string =>
    calendar === undefined ? '' : eventOf(item, calendar, { name, added, address: itemAddress?.(item) })
  return {
    beginning: () =>
      lines(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Dealdesk//Dealdesk//EN', `X-WR-CALNAME:${escaped(title)}`]),
    batch: (texts) =>
      itemsOf(readDocument(`[${texts.join()}]`))
        .map(event)
        .join(''),
    end: () => lines(['END:VCALENDAR']),
  }
}

interface EntryFacts {
  readonly name: string
  readonly added: readonly AddedProperty[]
  readonly address: string | undefined
}

/** Empty for an item without a date. */
function eventOf(item: DataObject, fields: CalendarFields, { name, added, address }: EntryFacts): string {
  const start = startOf(item, fields)
  if (start === undefined) return ''
  const { title, text, cancelled } = fields
  const isOff = cancelled !== undefined && item[cancelled[0]] === cancelled[1]
  const description = textOf(item, text)
  return lines([
    'BEGIN:VEVENT',
    `UID:${name}-${textOf(item, 'id')}@dealdesk`,
    `DTSTAMP:${stamp(textOf(item, 'updatedAt'))}`,
    `CREATED:${stamp(textOf(item, 'createdAt'))}`,
    `LAST-MODIFIED:${stamp(textOf(item, 'updatedAt'))}`,
    `SEQUENCE:${textOf(item, 'revision')}`,
    start,
    `SUMMARY:${escaped(textOf(item, title))}`,
    ...(description === '' ? [] : [`DESCRIPTION:${escaped(description)}`]),
    // A path alone is not a URI.
    ...(address?.includes('://') ? [`URL:${address}`] : []),
    ...(isOff ? ['STATUS:CANCELLED'] : []),
    'TRANSP:TRANSPARENT',
    ...added.flatMap((property) => addedLine(item, property) ?? []),
    'END:VEVENT',
  ])
}

/** RFC 5545 §3.8.8.2: calendars have no property for added fields, so each is one of its own. Names have no case there. */
interface AddedProperty {
  readonly field: string
  readonly start: string
  readonly write: (text: string) => string
}

const addedIn = ({ fields }: Pick<ListedItems, 'fields'>): readonly AddedProperty[] =>
  grouped([...fields].filter(([, { through }]) => through === undefined)).groups.flatMap(({ name: group, places }) =>
    places.map(({ name, key, member: { kind } }) => {
      const [type, write] = valueTypes[kind.name] ?? ['TEXT', escaped]
      // Text is the default, but readers leave a text as it is written in a property that they do not know.
      const property = `X-${group}-${key}`.toUpperCase()
      return { field: name, start: `${property};VALUE=${type}:`, write }
    }),
  )

function addedLine(item: DataObject, { field, start, write }: AddedProperty): string | undefined {
  const value = cellIn(item, field)
  return value === null ? undefined : start + write(asText(value))
}

function startOf(item: DataObject, { day, instant }: CalendarFields): string | undefined {
  const at = instant === undefined ? '' : textOf(item, instant)
  if (at !== '') return `DTSTART:${stamp(at)}`
  const on = textOf(item, day)
  return on === '' ? undefined : `DTSTART;VALUE=DATE:${on.replaceAll('-', '')}`
}

const textOf = (item: DataObject, name: string): string => String(item[name] ?? '')

/** `20261115T080910Z`: calendars have whole seconds. */
const stamp = (instant: string): string => `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`

const plain = (text: string): string => text

/** RFC 5545 §3.3, by the names of kinds; everything else is text. */
const valueTypes: { readonly [kind: string]: readonly [type: string, write: (text: string) => string] } = {
  integer: ['INTEGER', plain],
  amount: ['FLOAT', plain],
  boolean: ['BOOLEAN', (text) => text.toUpperCase()],
  date: ['DATE', (text) => text.replaceAll('-', '')],
  instant: ['DATE-TIME', (text) => stamp(text)],
}

const escaped = (text: string): string => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n|[\r\n]/g, '\\n')

const lines = (all: readonly string[]): string => all.map((line) => `${folded(line)}\r\n`).join('')

const LONGEST_LINE = 75

/** RFC 5545 §3.1: a line has 75 octets at most; no character is cut. */
function folded(line: string): string {
  if (line.length * 3 <= LONGEST_LINE || Buffer.byteLength(line) <= LONGEST_LINE) return line
  let text = ''
  let octets = 0
  for (const character of line) {
    const own = Buffer.byteLength(character)
    if (octets + own > LONGEST_LINE) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += own
  }
  return text
}
