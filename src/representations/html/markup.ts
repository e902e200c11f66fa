/** HTML that is safe to send. Only this module makes it, so text from anywhere else is always escaped. */
export class Markup {
  readonly #html: string
  private constructor(html: string) {
    this.#html = html
  }
  /** Trusts that a string is HTML: its writer has escaped the text in it. */
  static of(html: string): Markup {
    return new Markup(html)
  }
  toString(): string {
    return this.#html
  }
}

/** Text is escaped, markup is not. `undefined` and `false` are left out, so that `condition && html…` works. */
export type Hole = Markup | string | number | false | undefined | readonly Hole[]

export function html(strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  let whole = strings[0] ?? ''
  for (let i = 0; i < holes.length; i++) whole += fill(holes[i]) + (strings[i + 1] ?? '')
  return Markup.of(whole)
}

function fill(hole: Hole): string {
  if (typeof hole === 'string') return escapeHtml(hole)
  if (hole === undefined || hole === false) return ''
  if (typeof hole === 'number' || hole instanceof Markup) return hole.toString()
  let whole = ''
  for (const each of hole) whole += fill(each)
  return whole
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
