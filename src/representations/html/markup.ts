import type { Language } from '../../languages/language.ts'
import type { Reader } from '../../languages/reader.ts'
import type { Text } from '../../languages/text.ts'
import { onceFor } from '../../values/memoize.ts'

/** HTML that is safe to send. Only this module creates it, so text from anywhere else is always escaped. */
export class Markup {
  readonly #strings: readonly string[]
  readonly #holes: readonly (Hole | Open)[]
  readonly marks: Marks
  private constructor(strings: readonly string[], holes: readonly (Hole | Open)[], marks: Marks) {
    this.#strings = strings
    this.#holes = holes
    this.marks = marks
  }
  /** A template and its values. */
  static filled(strings: TemplateStringsArray, holes: readonly Hole[]): Markup {
    return new Markup(strings, holes, marksOf(holes))
  }
  /** Trusts that a string is HTML, whose writer has escaped the text in it. */
  static of(html: string, marks = unmarked): Markup {
    return new Markup([html], [], marks)
  }
  /** The same for HTML that is written for a reader. */
  static written(write: (reader: Reader) => string, marks = unmarked): Markup {
    return new Markup(around, [{ write }], marks)
  }
  /** The same for rows: those of a long page are written in turns with other requests. */
  static inRows(rows: Rows): Markup {
    return new Markup(around, [{ rows }], withRows)
  }
  /** The HTML for a reader. */
  for(reader: Reader): string {
    const strings = this.#strings
    const holes = this.#holes
    let html = strings[0] ?? ''
    for (let at = 0; at < holes.length; at++) html += fill(holes[at], reader) + strings[at + 1]
    return html
  }
  /** The same in pieces: the rows, and the parts between them. */
  *pieces(reader: Reader): Generator<string> {
    yield yield* this.#after('', reader)
  }
  /** Yields all but the last piece and returns that, because it may continue. */
  *#after(before: string, reader: Reader): Generator<string, string> {
    if (!this.marks.has(ROWS)) return before + this.for(reader)
    let piece = before + this.#strings[0]
    for (const [at, hole] of this.#holes.entries()) {
      piece = (yield* Markup.#fillAfter(piece, hole, reader)) + this.#strings[at + 1]
    }
    return piece
  }
  static *#fillAfter(before: string, hole: Hole | Open, reader: Reader): Generator<string, string> {
    if (typeof hole !== 'object' || 'write' in hole) return before + fill(hole, reader)
    if (hole instanceof Markup) return yield* hole.#after(before, reader)
    if ('rows' in hole) {
      yield before
      yield* hole.rows(reader)
      return ''
    }
    let piece = before
    for (const each of hole) piece = yield* Markup.#fillAfter(piece, each, reader)
    return piece
  }
  /** As written for one reader, for all readers. */
  readBy(reader: Reader): Markup {
    return Markup.of(this.for(reader), this.marks)
  }
  /** The same, written once for each language, for parts that depend on the language alone. */
  oncePerLanguage(): Markup {
    const written = onceFor((_language: Language, reader: Reader) => this.for(reader))
    return Markup.written((reader) => written(reader.language, reader), this.marks)
  }
}

/** Text is escaped, markup is not. `undefined` and `false` are left out, so that `condition && html…` works. */
export type Hole = Markup | Text | string | number | false | undefined | readonly Hole[]

/** HTML without its reader, at once or row by row. */
type Open = { readonly write: (reader: Reader) => string } | { readonly rows: Rows }
export type Rows = (reader: Reader) => Iterable<string>
const around = ['', '']

/** Facts about markup before it is written: its lists of suggestions, its landing, and rows. */
type Marks = ReadonlySet<string>
const unmarked: Marks = new Set()
const ROWS = 'rows'
const withRows: Marks = new Set([ROWS])

function marksOf(holes: readonly Hole[]): Marks {
  let marks = unmarked
  for (const hole of holes) {
    if (typeof hole !== 'object') continue
    const more = hole instanceof Markup ? hole.marks : marksOf(hole)
    if (more.size > 0) marks = marks.size === 0 ? more : marks.union(more)
  }
  return marks
}

export const html = (strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup => Markup.filled(strings, holes)

/** Things one by one, each when the page is written, so their marks are not known earlier. */
export const inRows = <T>(things: Iterable<T>, row: (thing: T) => Markup): Markup =>
  Markup.inRows(function* (reader) {
    for (const each of things) yield row(each).for(reader)
  })

function fill(hole: Hole | Open, reader: Reader): string {
  if (typeof hole === 'string') return escapeHtml(hole)
  if (typeof hole === 'function') return escapeHtml(hole(reader))
  if (hole === undefined || hole === false) return ''
  if (typeof hole === 'number') return String(hole)
  if (hole instanceof Markup) return hole.for(reader)
  if ('write' in hole) return hole.write(reader)
  let html = ''
  if ('rows' in hole) for (const row of hole.rows(reader)) html += row
  else for (const each of hole) html += fill(each, reader)
  return html
}

/** For text and for quoted attribute values. A parser would turn a bare CR into LF and drop NUL. */
export const escapeHtml = (text: string): string => (special.test(text) ? text.replace(specials, reference) : text)

const special = /[&<>"'\r\0]/
const specials = new RegExp(special, 'g')
const references: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
}
const reference = (character: string): string => references[character] ?? '\ufffd'
