import type { CalendarFields } from '../values/listed-items.ts'
import { type DataObject, itemsOf, readDocument } from './read-document.ts'
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
  const event = (item: DataObject): string =>
    calendar === undefined ? '' : eventOf(item, calendar, name, itemAddress?.(item))
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

/** Empty for an item without a date. */
function eventOf(item: DataObject, fields: CalendarFields, name: string, address: string | undefined): string {
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
    'END:VEVENT',
  ])
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
