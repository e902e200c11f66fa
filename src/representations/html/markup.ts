import { type PartSet, partsIn } from './page-parts.ts'

/** HTML that is safe to send. Only this module makes it, so text from anywhere else is always escaped. */
export class Markup {
  readonly #html: string
  /** The parts of pages that it has. */
  readonly parts: PartSet
  /** The rows that are written when the page is, in order. */
  readonly rows: readonly Rows[]
  private constructor(html: string, parts: PartSet, rows: readonly Rows[]) {
    this.#html = html
    this.parts = parts
    this.rows = rows
  }
  /** Trusts that a string is HTML, whose writer has escaped the text in it, and that it has none of the other parts. */
  static of(html: string, parts: PartSet = 0, rows = noRows): Markup {
    return new Markup(html, parts, rows)
  }
  /** Trusts the same of rows, which are written when the page is: those of a long one in turns with other requests. */
  static inRows(rows: Rows): Markup {
    return new Markup(ROWS, 0, [rows])
  }
  /** With a mark in the place of rows. */
  get frame(): string {
    return this.#html
  }
  toString(): string {
    return this.rows.length === 0 ? this.#html : [...this.pieces()].join('')
  }
  *pieces(): Generator<string> {
    const [first = '', ...others] = this.#html.split(ROWS)
    yield first
    for (const [at, piece] of others.entries()) {
      yield* this.rows[at]?.() ?? []
      yield piece
    }
  }
}

/** HTML, row by row. */
export type Rows = () => Iterable<string>
const noRows: readonly Rows[] = []
/** Stands for rows: no text has it, because it is no character of HTML. */
const ROWS = '\0'

/** Text is escaped, markup is not. `undefined` and `false` are left out, so that `condition && html…` works. */
export type Hole = Markup | string | number | false | undefined | readonly Hole[]

export function html(strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  let whole = strings[0] ?? ''
  parts = partsOf(strings)
  rows = noRows
  for (let i = 0; i < holes.length; i++) whole += fill(holes[i]) + (strings[i + 1] ?? '')
  return Markup.of(whole, parts, rows)
}

/** Things one by one, each when the page is written. Their parts are those of what stands around them. */
export const inRows = <T>(things: Iterable<T>, row: (thing: T) => Markup): Markup =>
  Markup.inRows(function* () {
    for (const each of things) yield row(each).toString()
  })

/** Those of the template that is being filled. Nothing else runs meanwhile: its holes are written already. */
let parts: PartSet = 0
let rows = noRows

function fill(hole: Hole): string {
  if (typeof hole === 'string') return escapeHtml(hole)
  if (hole === undefined || hole === false) return ''
  if (typeof hole === 'number') return String(hole)
  if (hole instanceof Markup) {
    parts |= hole.parts
    if (hole.rows.length > 0) rows = [...rows, ...hole.rows]
    return hole.frame
  }
  let whole = ''
  for (const each of hole) whole += fill(each)
  return whole
}

/** A template is searched once, not every page that it is in; the language has one array for each template. */
function partsOf(strings: TemplateStringsArray): PartSet {
  const known = templates.get(strings)
  if (known !== undefined) return known
  const found = partsIn(strings.join('\n'))
  templates.set(strings, found)
  return found
}

const templates = new WeakMap<TemplateStringsArray, PartSet>()

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
