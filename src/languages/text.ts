import type { Reader } from './reader.ts'

/**
 * A text without its reader: the writer passes the reader. So a view has no language, and pages that are written in
 * turns never mix theirs.
 */
export type Text = (reader: Reader) => string

/** A text, or something that people typed, which is the same for every reader. */
export type Words = string | Text

export const wordsFor = (words: Words, reader: Reader): string => (typeof words === 'string' ? words : words(reader))

/** Words in sequence. */
export const joined =
  (words: readonly Words[], between: string): Text =>
  (reader) =>
    words.map((each) => wordsFor(each, reader)).join(between)
