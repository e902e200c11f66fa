import type { Reader } from './reader.ts'

/**
 * What is said, before it is known to whom: whoever writes it gives the reader. So a view knows no language, and pages
 * that are written in turns never mix theirs.
 */
export type Text = (reader: Reader) => string

/** What is said, or what people typed, which is the same for everybody. */
export type Words = string | Text

export const wordsFor = (words: Words, reader: Reader): string => (typeof words === 'string' ? words : words(reader))

/** Words one after the other. */
export const joined =
  (words: readonly Words[], between: string): Text =>
  (reader) =>
    words.map((each) => wordsFor(each, reader)).join(between)
