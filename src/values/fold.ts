const beyondAscii = /[^\u0000-\u007f]/

/** Whether folding a text is more than lower case, which SQL knows of ASCII letters alone. */
export const isBeyondAscii = (text: string): boolean => beyondAscii.test(text)

/**
 * A text as searches compare it: without the differences of case, accents and width. Σ has two lower cases, one of them
 * for the end of a word; a part of a word must be found whichever it is written with.
 */
export function fold(text: string): string {
  if (!isBeyondAscii(text)) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
}
