import { type PartSet, partsIn } from './page-parts.ts'

/** HTML that is safe to send. Only this module makes it, so text from anywhere else is always escaped. */
export class Markup {
  readonly #html: string
  /** The parts of pages that it has. */
  readonly parts: PartSet
  private constructor(html: string, parts: PartSet) {
    this.#html = html
    this.parts = parts
  }
  /** Trusts that a string is HTML, whose writer has escaped the text in it, and that it has none of the other parts. */
  static of(html: string, parts: PartSet = 0): Markup {
    return new Markup(html, parts)
  }
  toString(): string {
    return this.#html
  }
}

/** Text is escaped, markup is not. `undefined` and `false` are left out, so that `condition && html…` works. */
export type Hole = Markup | string | number | false | undefined | readonly Hole[]

export function html(strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  let whole = strings[0] ?? ''
  parts = partsOf(strings)
  for (let i = 0; i < holes.length; i++) whole += fill(holes[i]) + (strings[i + 1] ?? '')
  return Markup.of(whole, parts)
}

/** Those of the template that is being filled. Nothing else runs meanwhile: its holes are written already. */
let parts: PartSet = 0

function fill(hole: Hole): string {
  if (typeof hole === 'string') return escapeHtml(hole)
  if (hole === undefined || hole === false) return ''
  if (typeof hole === 'number') return String(hole)
  if (hole instanceof Markup) {
    parts |= hole.parts
    return hole.toString()
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
