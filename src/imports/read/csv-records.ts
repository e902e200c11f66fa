import { withoutFormulaMark } from '../../representations/csv.ts'
import { fileBounds } from '../../values/bounds.ts'
import { reason } from '../../values/faults/fault.ts'
import { BROKEN, NOT_UTF8, type RecordReader, type RecordSink, TOO_LONG } from '../file/record.ts'

/**
 * RFC 4180, with any delimiter, with LF as well as CRLF, skipping blank lines, and without the mark that makes a cell
 * no formula: a spreadsheet's cells have none. A row that breaks the rules is
 * rejected and reading continues at the line after its first, so a stray quote costs only the rows it confused.
 */
export function csvRecords(sink: RecordSink, delimiter: string): RecordReader {
  let line = 1
  const cells: string[] = []
  // Declared out here because the optimizer would repeat the search for every line.
  let broken = false
  // The next delimiter, which may be far beyond the line: searching for it in each line would read the rest of the text
  // each time.
  let upcoming = -1

  /** A line without quotes, as nearly all are. */
  const plain = (text: string, start: number, end: number): void => {
    cells.length = 0
    let from = start
    for (;;) {
      if (upcoming < from) upcoming = nextOf(delimiter, text, from)
      if (upcoming >= end) break
      cells.push(withoutFormulaMark(text.slice(from, upcoming)))
      from = upcoming + 1
    }
    cells.push(withoutFormulaMark(text.slice(from, end)))
    sink.take(cells, line, () => text.slice(start, end))
  }

  return {
    read(text, ended) {
      let at = 0
      let quote = nextOf('"', text, 0)
      upcoming = -1
      broken = text.includes(BROKEN)
      while (at < text.length) {
        let end = text.indexOf('\n', at)
        if (end === -1) {
          if (!ended) return at
          end = text.length
        }
        const stop = text.charCodeAt(end - 1) === RETURN && end > at ? end - 1 : end
        if (quote < at) quote = nextOf('"', text, at)
        const found = quote < end ? quotedRecord(text, at, ended, delimiter.charCodeAt(0)) : undefined
        if (found === 'more' && !ended && text.length - at < fileBounds.record) return at
        if (typeof found === 'object' && !(broken && text.slice(at, found.end).includes(BROKEN))) {
          const start = at
          sink.take(found.cells, line, () => text.slice(start, found.end))
          line += found.lines
          at = found.next
          continue
        }
        if (found !== undefined || (broken && text.slice(at, stop).includes(BROKEN))) {
          const raw = text.slice(at, Math.min(stop, at + fileBounds.record))
          sink.reject(line, typeof found !== 'string' || raw.includes(BROKEN) ? NOT_UTF8 : whatIsWrong[found], raw)
        } else if (stop > at + fileBounds.record) sink.reject(line, TOO_LONG, text.slice(at, at + fileBounds.record))
        else if (stop > at) plain(text, at, stop)
        line++
        at = end + 1
      }
      return text.length
    },
  }
}

/** The position of the next one, or the end. */
function nextOf(character: string, text: string, at: number): number {
  const next = text.indexOf(character, at)
  return next === -1 ? text.length : next
}

const RETURN = 13
const NEWLINE = 10
const QUOTE = 34

const whatIsWrong = {
  more: reason('quote-not-closed'),
  'after quote': reason('text-behind-quote'),
  'inner quote': reason('quote-in-cell'),
} as const

interface Quoted {
  readonly cells: string[]
  /** The end of the record, and the beginning of the next. */
  readonly end: number
  readonly next: number
  readonly lines: number
}

/** A record with at least one quote, read by the rules. */
function quotedRecord(
  text: string,
  start: number,
  ended: boolean,
  delimiter: number,
): Quoted | keyof typeof whatIsWrong {
  const cells: string[] = []
  let lines = 1
  let at = start
  for (;;) {
    let cell: string
    if (text.charCodeAt(at) === QUOTE) {
      let close = text.indexOf('"', at + 1)
      let doubled = false
      while (close !== -1 && close - start <= fileBounds.record && text.charCodeAt(close + 1) === QUOTE) {
        doubled = true
        close = text.indexOf('"', close + 2)
      }
      if (close === -1 || close - start > fileBounds.record || (close + 1 === text.length && !ended)) return 'more'
      cell = text.slice(at + 1, close)
      if (doubled) cell = cell.replaceAll('""', '"')
      for (let n = cell.indexOf('\n'); n !== -1; n = cell.indexOf('\n', n + 1)) lines++
      at = close + 1
    } else {
      const from = at
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code === delimiter || code === NEWLINE || code === RETURN) break
        if (code === QUOTE) return 'inner quote'
      }
      cell = text.slice(from, at)
    }
    cells.push(withoutFormulaMark(cell))
    if (text.charCodeAt(at) === delimiter) {
      at++
      continue
    }
    const end = at
    if (text.charCodeAt(at) === RETURN) at++
    if (at === text.length) return ended ? { cells, end, next: at, lines } : 'more'
    if (text.charCodeAt(at) !== NEWLINE) return 'after quote'
    return { cells, end, next: at + 1, lines }
  }
}
