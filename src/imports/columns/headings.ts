import type { FileWords } from '../../model/declaration/file-words.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { label } from '../../representations/html/label.ts'
import { fileBounds } from '../../values/bounds.ts'
import { keyOf } from '../../values/json/places.ts'
import { currencies } from '../../values/kinds/codes.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { currenciesOf } from '../cells/currency-words.ts'
import type { FileColumn } from '../cells/reading.ts'
import { inLanguages, plainWord, plainWords, titlesIn } from '../cells/spoken.ts'
import { unitIn } from '../cells/units.ts'

/** The heading of the ids in exports as people see them: no other program has it. */
export const ID_TITLE = 'Dealdesk ID'

/** The heading of the column that says why a row was rejected, which a corrected file still has. */
export const REJECTED = 'Rejected because'

/**
 * Finds the field of each column by its heading: the field's name, its title in any language, or a word that its
 * resource declares. A field that was added at run time has the titles that admins gave it. If several columns claim a field, the likeliest heading has it. Nothing is guessed from a part of
 * a heading or from a similar one.
 */
export function matchHeadings(
  header: readonly string[],
  { inFiles = noWords, kinds }: Pick<Resource, 'inFiles' | 'kinds'>,
  fields: readonly string[],
): readonly FileColumn[] {
  const known = knownHeadings(fields, inFiles, kinds)
  const headings = uniqueHeadings(header)
  const claims = header.map((heading) => claimOf(heading.slice(0, fileBounds.heading), known, inFiles.prefixes ?? []))
  const best = new Map<string, number>()
  for (const [at, claim] of claims.entries()) {
    if (claim === undefined) continue
    const other = claims[best.get(claim.field) ?? -1]
    if (other === undefined || claim.rank < other.rank) best.set(claim.field, at)
  }
  const columns = headings.map((heading, at): FileColumn => {
    const field = claims[at]?.field
    const isBest = field !== undefined && best.get(field) === at
    return { heading, field: isBest ? field : null, reading: null }
  })
  return withParts(columns, inFiles)
}

const noWords: FileWords = { headings: {} }

interface Claim {
  readonly field: string
  /** Smaller is likelier. */
  readonly rank: number
}

function knownHeadings(
  fields: readonly string[],
  { headings }: FileWords,
  kinds: { readonly [field: string]: Kind<unknown> },
): ReadonlyMap<string, Claim> {
  const known = new Map<string, Claim>()
  const add = (word: string, claim: Claim): void => {
    for (const key of plainWords(word)) {
      if ((known.get(key)?.rank ?? Number.POSITIVE_INFINITY) > claim.rank) known.set(key, claim)
    }
  }
  for (const word of inLanguages(REJECTED)) add(word, { field: '', rank: 0 })
  for (const field of fields) {
    // `ID` is the number that a thing has elsewhere; only exports of ours have `id`, or its title.
    if (field === 'id') {
      for (const word of inLanguages(ID_TITLE)) add(word, { field, rank: 0 })
      continue
    }
    add(field, { field, rank: 1 })
    for (const word of titlesOf(field, kinds[field])) add(word, { field, rank: 2 })
    for (const [at, word] of (headings[field] ?? []).entries()) add(word, { field, rank: 3 + at })
  }
  known.delete('')
  return known
}

function titlesOf(field: string, kind: Kind<unknown> | undefined): readonly string[] {
  if (kind?.titled !== undefined) return [keyOf(field), ...titlesIn(kind.titled)]
  return [label(field), label(field.replace(/Id$/, ''))].flatMap(inLanguages)
}

function claimOf(heading: string, known: ReadonlyMap<string, Claim>, prefixes: readonly string[]): Claim | undefined {
  if (heading.trim() === 'id') return { field: 'id', rank: 0 }
  for (const variant of variantsOf(heading, prefixes)) {
    const claim = known.get(plainWord(variant))
    if (claim !== undefined) return claim.field === '' ? undefined : claim
  }
  return undefined
}

/** The heading, without the name of a record before it, and without a currency or remark after it. */
function* variantsOf(heading: string, prefixes: readonly string[]): Generator<string> {
  yield heading
  const own = new RegExp(`^(?:${prefixes.join('|')}) ?[-–:.] ?`, 'i')
  const rest = prefixes.length === 0 ? heading : heading.replace(own, '')
  yield rest
  yield rest.replace(inBrackets, '')
  const { text } = withoutCurrency(rest)
  yield text
  yield unitIn(rest)?.rest ?? ''
}

const knownCodes: ReadonlySet<string> = new Set(currencies)
const inBrackets = /\s*[([][^()[\]]*[)\]]\s*$/
const atEnd = /^(.*?\S)\s*(?:[([]\s*(?:in\s+)?|\s(?:in\s+)?|,\s*)([^\s()[\]]{1,4})[)\]]?\s*$/iu

function withoutCurrency(heading: string): { readonly text: string; readonly currencies: readonly string[] } {
  const [, text = heading, word = ''] = atEnd.exec(heading) ?? []
  // Most last words are no currencies; to look for the names of all of them takes a tenth of a second.
  const meant = knownCodes.has(word) || /\p{Sc}/u.test(word) ? currenciesOf(word) : []
  return { text: meant.length === 0 ? heading : text, currencies: meant }
}

/** The currencies that a heading such as `Betrag (EUR)`, `Price in $` or `T€` may mean. */
export const currenciesIn = (heading: string): readonly string[] => {
  const { currencies: alone } = withoutCurrency(heading)
  return alone.length > 0 ? alone : (unitIn(heading)?.currencies ?? [])
}

/** Columns that are parts of a text have its field if no column has the whole. */
function withParts(columns: readonly FileColumn[], { parts = {} }: FileWords): readonly FileColumn[] {
  return Object.entries(parts).reduce((found, [field, words]) => {
    if (found.some((column) => column.field === field)) return found
    return found.map((column) =>
      column.field === null && partOf(column.heading, words) !== undefined ? { ...column, field } : column,
    )
  }, columns)
}

/** The place of a heading among the parts of a text. */
export function partOf(heading: string, words: readonly (readonly string[])[]): number | undefined {
  const place = words.findIndex((each) => each.some((word) => plainWord(word) === plainWord(heading)))
  return place === -1 ? undefined : place
}

/** A column without a heading is named by its place; long headings are cut, and repeated ones counted. */
export function uniqueHeadings(header: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return header.map((cell, at) => {
    const heading = cell.trim().slice(0, fileBounds.heading).toWellFormed().trimEnd() || `(${at + 1})`
    let unique = heading
    for (let times = 2; taken.has(unique); times++) unique = `${heading} (${times})`
    taken.add(unique)
    return unique
  })
}
