import { numberText } from '../../languages/formats.ts'
import { fillPlaces, say, templateFor } from '../../languages/say.ts'
import { type Told, tell, tellIn } from '../../languages/tell.ts'
import type { Text } from '../../languages/text.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { Document } from '../document.ts'
import { type Hole, html, Markup } from '../markup/markup.ts'

/** A text in the reader's language whose places may hold markup: "{who} owns it" with a link as `who`. */
export function phrase(text: string, places: { readonly [name: string]: Hole }): Markup {
  const fill = (name: string): Hole => {
    const hole = places[name]
    return typeof hole === 'number' ? numberText(hole) : hole
  }
  return Markup.written((reader) => html`${fillPlaces(templateFor(reader, text, places.count), fill)}`.for(reader))
}

/**
 * A reason or a text in the reader's language; if the language lacks it, it is marked as English. `show` writes the
 * text.
 */
export const told = (what: Reason | Told, show: (text: string) => Hole = asItIs): Markup =>
  Markup.written((reader) => {
    const said = tellIn(reader.language, what)
    const shown = said === undefined ? html`<span lang="en">${show(tell(what))}</span>` : html`${show(said)}`
    return shown.for(reader)
  })

const asItIs = (text: string): string => text

/** The title of a document in the reader's language, unless people typed it. */
export const saidTitle = ({ title }: Document): Text => (typeof title === 'string' ? say(title) : title)
