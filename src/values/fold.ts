const beyondAscii = /[^\u0000-\u007f]/

/** Whether folding a text takes more than lower case, which SQL knows only for ASCII letters. */
export const isBeyondAscii = (text: string): boolean => beyondAscii.test(text)

/**
 * A text as searches compare it: without the differences of case, accents and width. Σ has two lower cases, one of them
 * for the end of a word; a part of a word must be found in either spelling.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  let folded = ''
  let from = 0
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at)
    if (code <= ASCII) continue
    if (code >= COMBINING) return foldWhole(text)
    folded += lower.slice(from, at) + foldedLatin(code)
    from = at + 1
  }
  return from === 0 ? lower : folded + lower.slice(from)
}

const ASCII = 0x7f
/** Characters before the combining marks, nearly all of them Latin, are folded one by one. */
const COMBINING = 0x300

const latin: string[] = []
const foldedLatin = (code: number): string => (latin[code] ??= foldWhole(String.fromCharCode(code)))

const foldWhole = (text: string): string =>
  text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')

/**
 * A text in one case, letter by letter as SQL translates it: names that differ by more are different names, so accents
 * stay, unlike in searches.
 */
export function caseless(text: string): string {
  let lower = ''
  for (const letter of text) lower += lowerLetter(letter)
  return lower
}

/** Lower case of one letter; one that becomes several stays. Σ has two lower cases. */
export function lowerLetter(letter: string): string {
  if (letter === 'ς') return 'σ'
  const lower = letter.toLowerCase()
  return lower.length === letter.length || letter.charCodeAt(0) <= ASCII ? lower : letter
}
