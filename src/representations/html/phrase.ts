import { currentReader } from '../../languages/current-reader.ts'
import { numberText } from '../../languages/formats.ts'
import { fillPlaces, say, templateOf } from '../../languages/say.ts'
import { type Told, tell, tellIn } from '../../languages/tell.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { Document } from '../document.ts'
import { type Hole, html, type Markup } from './markup.ts'

/** A text in the reader's language whose places may hold markup: "{who} owns it" with a link as `who`. */
export const phrase = (text: string, places: { readonly [name: string]: Hole }): Markup =>
  html`${fillPlaces(templateOf(text, places.count), (name) => {
    const hole = places[name]
    return typeof hole === 'number' ? numberText(hole) : hole
  })}`

/** A reason or a told text in the reader's language; what that lacks is marked as English. `show` writes the text. */
export function told(what: Reason | Told, show: (text: string) => Hole = asItIs): Markup {
  const said = tellIn(currentReader().language, what)
  return said === undefined ? html`<span lang="en">${show(tell(what))}</span>` : html`${show(said)}`
}

const asItIs = (text: string): string => text

/** The title of a document in the reader's language, unless people typed it. */
export const saidTitle = ({ title }: Document): string => (typeof title === 'string' ? say(title) : title())
