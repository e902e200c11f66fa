import { type Hole, html } from '../../representations/markup/markup.ts'
import { digitsIn, digitsSought } from '../../values/digits.ts'
import { fold } from '../../values/fold.ts'
import { memoize } from '../../values/memoize.ts'

/** Marks the parts of a text that the words of a search found. */
export const marking = memoize((sought: string): ((text: string) => Hole) => {
  const words = fold(sought)
    .split(/\s+/u)
    .filter((word) => word !== '')
  const digits = words.flatMap((word) => digitsSought(word) ?? [])
  return (text) => {
    const parts = partsIn(text, words)
    // The digits of a phone number have separators between them: all of it is marked.
    if (parts.length === 0 && digits.some((each) => digitsIn(text).includes(each))) return html`<mark>${text}</mark>`
    const marked = parts.map(([from, to], at) => [
      text.slice(parts[at - 1]?.[1] ?? 0, from),
      markOf(text.slice(from, to)),
    ])
    return parts.length === 0 ? text : html`${marked}${text.slice(parts.at(-1)?.[1])}`
  }
}, 100)

const markOf = (text: string): Hole => html`<mark>${text}</mark>`

type MarkedPart = readonly [from: number, to: number]

/** The places of the words, in order and without overlap. */
function partsIn(text: string, words: readonly string[]): readonly MarkedPart[] {
  const { folded, places } = foldedWithPlaces(text)
  const found = words.flatMap((word): MarkedPart[] => {
    const all: MarkedPart[] = []
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length))
      all.push([places[at] ?? 0, places[at + word.length] ?? text.length])
    return all
  })
  const sorted = found.toSorted(([one], [other]) => one - other)
  return sorted.filter(([from], at) => sorted.slice(0, at).every(([, to]) => to <= from))
}

/** A folded text, and for each of its characters the place of the one that it was folded from. */
function foldedWithPlaces(text: string): { readonly folded: string; readonly places: readonly number[] } {
  let folded = ''
  const places: number[] = []
  let at = 0
  // A letter with its accents is folded as a whole.
  for (const [letter] of text.matchAll(/.\p{M}*/gsu)) {
    const one = fold(letter)
    for (let nth = 0; nth < one.length; nth++) places.push(at)
    folded += one
    at += letter.length
  }
  return { folded, places: [...places, text.length] }
}
