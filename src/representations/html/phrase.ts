import { numberText } from '../../languages/formats.ts'
import { retold } from '../../languages/retold.ts'
import { fillPlaces, say, templateOf } from '../../languages/say.ts'
import type { Document } from '../document.ts'
import { type Hole, html, type Markup } from './markup.ts'

/** A text in the reader's language whose places may hold markup: "{who} owns it" with a link as `who`. */
export const phrase = (text: string, places: { readonly [name: string]: Hole }): Markup =>
  html`${fillPlaces(templateOf(text, places.count), (name) => {
    const hole = places[name]
    return typeof hole === 'number' ? numberText(hole) : hole
  })}`

/** A text that the service made in English, in the reader's language; what has no translation is marked as English. */
export const told = (text: string): Markup | string => retold(text) ?? html`<span lang="en">${text}</span>`

/** The title of a document in the reader's language, unless people typed it. */
export const saidTitle = ({ title }: Document): string => (typeof title === 'string' ? say(title) : title())
