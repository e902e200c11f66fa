import { queryBounds } from '../../values/bounds.ts'
import { type Facts, fault, near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Read } from '../../values/kinds/kind.ts'
import type { CollectionField } from '../collection.ts'
import type { Filter, Term, Tree } from '../query.ts'
import { type ReadTerm, readTerm } from '../term.ts'

export const tooDeep = reason('too-deep', { max: queryBounds.depth })

/** An expression that is read from left to right, each character once. */
export interface Scanner {
  readonly text: string
  at: number
  /** The number of open parentheses. */
  depth: number
  /** The number of terms read so far. */
  terms: number
}

/** Ends the reading from any depth; caught where the reading began. */
class Misread extends Error {
  readonly at: number
  readonly reason: Reason

  constructor(at: number, why: Reason) {
    super(why.code)
    this.at = at
    this.reason = why
  }
}

/** The result of a whole expression, or its fault and the position. */
export function readExpression(text: string, read: (scanner: Scanner) => Filter): Tree | { readonly fault: Reason } {
  const found = readScanned(text, read)
  return 'fault' in found ? found : { any: [found.value], negated: false }
}

/** The same for any text that is read from left to right. */
export function readScanned<T>(text: string, read: (scanner: Scanner) => T): Read<T> {
  const scanner: Scanner = { text, at: 0, depth: 0, terms: 0 }
  try {
    return { value: read(scanner) }
  } catch (error) {
    if (!(error instanceof Misread)) throw error
    return fault('at-character', { character: characterAt(text, error.at), why: error.reason })
  }
}

/** From 1. */
const characterAt = (text: string, at: number): number => Array.from(text.slice(0, at)).length + 1

/** Fails at a position. */
export function misread(at: number, why: Reason): never {
  throw new Misread(at, why)
}

/** Fails at a position where something else was expected. */
export function wanted(at: number, wants: string, facts?: Facts): never {
  misread(at, reason('expected', { wants, ...facts }))
}

/** Fails at the current position: something else was expected, perhaps one of some words. */
export function expected(scanner: Scanner, wants: string, facts?: Facts, words: Iterable<string> = []): never {
  const { text, at } = scanner
  const found = word.exec(text.slice(at, at + LONGEST_EXCERPT))?.[0]
  const instead = reason('found', found === undefined ? undefined : { found, ...near(nearest(found, words)) })
  wanted(at, wants, { ...facts, instead })
}

/** The length of the excerpt of an expression in a fault. */
export const LONGEST_EXCERPT = 40
/** A word, or one other character. */
const word = /^(?:[\w$-]+|[\s\S])/u

/** The text that a sticky pattern matches at the current position, which moves on only if it matches. */
export function take(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.at
  const found = pattern.exec(scanner.text)?.[0]
  if (found !== undefined) scanner.at += found.length
  return found
}

/** The text of a value, unless it is too long for any field. */
export function literalAt(at: number, text: string): string {
  return text.length > queryBounds.literal ? misread(at, reason('too-long', { max: queryBounds.literal })) : text
}

const spaces = /\s*/y

export function skipSpaces(scanner: Scanner): void {
  take(scanner, spaces)
}

export function takeSign(scanner: Scanner, sign: string): boolean {
  if (!scanner.text.startsWith(sign, scanner.at)) return false
  scanner.at += sign.length
  return true
}

/** The content of a pair of parentheses; words may follow it. */
export function inParentheses<T>(scanner: Scanner, read: () => T, words: Iterable<string> = []): T {
  const opened = scanner.at
  if (!takeSign(scanner, '(')) expected(scanner, 'opening')
  if (++scanner.depth > queryBounds.depth) misread(opened, tooDeep)
  const value = read()
  skipSpaces(scanner)
  if (!takeSign(scanner, ')')) {
    expected(scanner, 'closing', { opened: characterAt(scanner.text, opened) }, words)
  }
  scanner.depth--
  return value
}

/** Nothing may follow the last operand. */
export function expectEnd(scanner: Scanner, wants: string, words: Iterable<string> = []): void {
  skipSpaces(scanner)
  if (scanner.at < scanner.text.length) expected(scanner, wants, {}, words)
}

/** A term of the expression, whose value is at a position. */
export function termAt(scanner: Scanner, at: number, read: ReadTerm): Term {
  if (++scanner.terms > queryBounds.terms) misread(at, reason('too-many-filters', { max: queryBounds.terms }))
  return 'fault' in read ? misread(at, read.fault) : read
}

/** Equality with any of several values, each at its position. */
export function listAt(
  scanner: Scanner,
  field: CollectionField,
  listed: readonly { readonly at: number; readonly text: string }[],
): Term {
  const values = listed.flatMap(({ at, text }) => {
    const read = readTerm(field, 'eq', text)
    return 'fault' in read ? misread(at, read.fault) : read.values
  })
  return termAt(scanner, listed[0]?.at ?? scanner.at, { field, operator: 'eq', values })
}
