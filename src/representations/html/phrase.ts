import { numberText } from '../../languages/formats.ts'
import { fillPlaces, templateOf } from '../../languages/say.ts'
import { type Hole, html, type Markup } from './markup.ts'

/** A text in the reader's language whose places may hold markup: `phrase('{who} owns it', { who: link })`. */
export const phrase = (text: string, places: { readonly [name: string]: Hole }): Markup =>
  html`${fillPlaces(templateOf(text, places.count), (name) => {
    const hole = places[name]
    return typeof hole === 'number' ? numberText(hole) : hole
  })}`
