import type { Language } from '../../languages/language.ts'
import type { Reader } from '../../languages/reader.ts'
import type { Text } from '../../languages/text.ts'
import { onceFor } from '../../values/memoize.ts'

/** HTML that is safe to send. Only this module creates it, so text from anywhere else is always escaped. */
export class Markup {
  /** The parts that wait for a reader, each after the HTML before it. */
  readonly #waiting: (string | Unwritten)[] = []
  /** The HTML after that: all of it, if nothing waits. */
  #end: string
  #marks: Marks
  private constructor(html: string, marks = unmarked) {
    this.#end = html
    this.#marks = marks
  }
  /** A template and its values. The parts that need no reader are written at once, as one string. */
  static filled(strings: TemplateStringsArray, holes: readonly Hole[]): Markup {
    const made = new Markup(strings[0] ?? '')
    for (let at = 0; at < holes.length; at++) {
      made.#fill(holes[at])
      made.#end += strings[at + 1]
    }
    return made
  }
  /** Trusts that a string is HTML, whose writer has escaped the text in it. */
  static of(html: string, marks = unmarked): Markup {
    return new Markup(html, marks)
  }
  /** The same for HTML that is written for a reader. */
  static written(write: (reader: Reader) => string, marks = unmarked): Markup {
    return new Markup('', marks).#wait({ write })
  }
  /** The same for rows: those of a long page are written in turns with other requests. */
  static inRows(rows: Rows): Markup {
    return new Markup('', withRows).#wait({ rows })
  }
  get marks(): Marks {
    return this.#marks
  }
  #fill(hole: Hole): void {
    if (typeof hole === 'string') this.#end += escapeHtml(hole)
    else if (typeof hole === 'number') this.#end += hole
    else if (typeof hole === 'function') this.#wait(hole)
    else if (hole instanceof Markup) this.#append(hole)
    else if (hole !== undefined && hole !== false) for (const each of hole) this.#fill(each)
  }
  #append(other: Markup): void {
    const marks = other.#marks
    if (marks.size > 0) this.#marks = this.#marks.size === 0 ? marks : this.#marks.union(marks)
    if (other.#waiting.length === 0) this.#end += other.#end
    else this.#wait(other)
  }
  #wait(what: Unwritten): this {
    this.#waiting.push(this.#end, what)
    this.#end = ''
    return this
  }
  /** The HTML for a reader. */
  for(reader: Reader): string {
    let html = ''
    for (const part of this.#waiting) html += typeof part === 'string' ? part : written(part, reader)
    return html + this.#end
  }
  /** The same in pieces: the rows, and the parts between them. */
  *pieces(reader: Reader): Generator<string> {
    yield yield* this.#after('', reader)
  }
  /** Yields all but the last piece and returns that, because it may continue. */
  *#after(before: string, reader: Reader): Generator<string, string> {
    if (!this.#marks.has(ROWS)) return before + this.for(reader)
    let piece = before
    for (const part of this.#waiting) {
      if (typeof part === 'string') piece += part
      else if (part instanceof Markup) piece = yield* part.#after(piece, reader)
      else if ('rows' in part) {
        yield piece
        yield* part.rows(reader)
        piece = ''
      } else piece += written(part, reader)
    }
    return piece + this.#end
  }
  /** As written for one reader, for all readers. */
  readBy(reader: Reader): Markup {
    return Markup.of(this.for(reader), this.#marks)
  }
  /** The same, written once for each language, for parts that depend on the language alone. */
  oncePerLanguage(): Markup {
    const written = onceFor((_language: Language, reader: Reader) => this.for(reader))
    return Markup.written((reader) => written(reader.language, reader), this.#marks)
  }
}

/** Text is escaped, markup is not. `undefined` and `false` are left out, so that `condition && html…` works. */
export type Hole = Markup | Text | string | number | false | undefined | readonly Hole[]

/** Text, and HTML at once or row by row. */
type Unwritten = Text | Markup | { readonly write: (reader: Reader) => string } | { readonly rows: Rows }
export type Rows = (reader: Reader) => Iterable<string>

function written(part: Unwritten, reader: Reader): string {
  if (typeof part === 'function') return escapeHtml(part(reader))
  if (part instanceof Markup) return part.for(reader)
  if ('write' in part) return part.write(reader)
  let html = ''
  for (const row of part.rows(reader)) html += row
  return html
}

/** Facts about markup before it is written: its lists of suggestions, its landing, and rows. */
type Marks = ReadonlySet<string>
const unmarked: Marks = new Set()
const ROWS = 'rows'
const withRows: Marks = new Set([ROWS])

export const html = (strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup => Markup.filled(strings, holes)

/** Things one by one, each when the page is written, so their marks are not known earlier. */
export const inRows = <T>(things: Iterable<T>, row: (thing: T) => Markup): Markup =>
  Markup.inRows(function* (reader) {
    for (const each of things) yield row(each).for(reader)
  })

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
