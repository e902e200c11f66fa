import { fold, lowerLetter } from '../../../values/fold.ts'

/** The letters whose lower case is one other letter, and those letters; computed at first use. */
let known: { readonly upper: string; readonly lower: string } | undefined

/** No letter beyond has a case. */
const LAST_LETTERS = 0x2_0000

let cased: { readonly upper: string; readonly lower: string } | undefined

/** The letters that have another case, and those that they are in it. */
function findCased(): { readonly upper: string; readonly lower: string } {
  const letters = Array.from({ length: LAST_LETTERS }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => letter.isWellFormed() && lowerLetter(letter) !== letter,
  )
  return { upper: letters.join(''), lower: letters.map(lowerLetter).join('') }
}

/** A text in one case, as by `caseless`. */
export function caselessText(text: string): string {
  cased ??= findCased()
  return `translate((${text}) COLLATE "C", '${cased.upper}', '${cased.lower}')`
}

function findLetters(): { readonly upper: string; readonly lower: string } {
  const letters = Array.from({ length: LAST_LETTERS }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) =>
      letter.isWellFormed() && letter === letter.normalize('NFKC') && !/[\\']/.test(letter) && isFolded(letter),
  )
  return {
    upper: [...letters, 'ς'].join(''),
    lower: [...letters.map((letter) => letter.toLowerCase()), 'σ'].join(''),
  }
}

function isFolded(letter: string): boolean {
  const folded = fold(letter)
  return folded !== letter && folded.length === letter.length && folded === letter.toLowerCase()
}

/**
 * A text, folded by the database, for collections without folded texts. It knows the characters of its own version of
 * Unicode.
 */
export const foldedText = (text: string): string => {
  known ??= findLetters()
  const { upper, lower } = known
  const bare = `normalize(regexp_replace(normalize(normalize(${text}, NFKC), NFD), '[\u0300-\u036f]', '', 'g'), NFC)`
  return `replace(replace(translate((${bare}) COLLATE "C", '${upper}', '${lower}'), 'ß', 'ss'), 'ẞ', 'ss')`
}
