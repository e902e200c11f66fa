import type { PresetMeaning } from '../../model/declaration/file-words.ts'
import { LATER, type ValueAnswer, type ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
import { fileBounds } from '../../values/bounds.ts'
import { memoize, onceFor } from '../../values/memoize.ts'
import type { FileColumn } from '../cells/reading.ts'
import { plainWord } from '../cells/spoken.ts'
import { valueWords } from '../cells/value-words.ts'
import type { RowLayout } from './layout.ts'

/** The meaning of a value of a column. */
export interface Meaning {
  /** The values of fields; none if the cell counts as empty. */
  readonly sets: readonly (readonly [field: string, value: unknown])[]
  /** As it was answered. */
  readonly as: { readonly [field: string]: unknown }
}

/** The meanings of values of a column that are not those of its field. */
export interface ColumnMeanings {
  /** As somebody answered. */
  answered(text: string): Meaning | undefined
  /** As other programs use the word: it counts where nothing else is known. */
  preset(text: string): Meaning | undefined
}

/** Whether the values of a field are matched: those of a list, and persons. */
export const isMatched = ({ columns }: RowLayout, field: string): boolean => {
  const kind = columns.get(field)?.kind
  return kind !== undefined && (kind.name === 'choice' || kind.name === 'choices' || kind.namesUser === true)
}

/** Values are the same in any case and with any spaces. */
export const valueKey = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** The meanings of the values of a column; undefined if its field has no list of values. */
export function columnMeanings(
  { heading, field }: Pick<FileColumn, 'heading' | 'field'>,
  layout: RowLayout,
  answers: ValueAnswers | undefined,
): ColumnMeanings | undefined {
  if (field === null || !isMatched(layout, field)) return undefined
  const said = answers !== undefined && Object.hasOwn(answers, heading) ? (answers[heading] ?? {}) : {}
  const answered = new Map<string, Meaning>()
  const refused = new Set<string>()
  for (const [text, answer] of Object.entries(said)) {
    // An answer without a field means nothing: its rows are refused, whatever other programs mean.
    if (answer !== null && Object.keys(answer).length === 0) {
      refused.add(valueKey(text))
      continue
    }
    const meaning = meaningOf(answer, text, field, layout)
    if (meaning !== undefined) answered.set(valueKey(text), meaning)
  }
  const preset = memoize((text: string) => ({ meaning: presetOf(text, field, layout) }), fileBounds.values)
  return {
    answered: (text) => (answered.size === 0 ? undefined : answered.get(valueKey(text))),
    preset: (text) => (refused.has(valueKey(text)) ? undefined : preset(text).meaning),
  }
}

/** An answer with its values read; undefined if one of them is no longer a value of its field. */
export function meaningOf(answer: ValueAnswer, text: string, field: string, layout: RowLayout): Meaning | undefined {
  if (answer === null) return { sets: [], as: { [field]: null } }
  // The text is kept as the name of somebody who comes later.
  if (answer[LATER] === true) return { sets: [[field, text.trim()]], as: answer }
  const sets: (readonly [string, unknown])[] = []
  for (const [name, value] of Object.entries(answer)) {
    const column = layout.columns.get(name)
    if (column === undefined || column.ignored) return undefined
    if (value === null) continue
    const { kind } = column
    const read = kind.name === 'choices' && typeof value === 'string' ? kind.read([value]) : kind.read(value)
    if ('fault' in read) return undefined
    sets.push([name, read.value])
  }
  return { sets, as: answer }
}

/** A remark in brackets, such as a pipeline's name, is no part of the word. */
function presetOf(text: string, field: string, layout: RowLayout): Meaning | undefined {
  for (const word of [text, text.replace(/\s*\([^()]*\)\s*$/, '')].map(plainWord)) {
    const known = presetsIn(layout, field).get(word) ?? amongOther(word, field, layout)
    const meaning = known && meaningOf(known, text, field, layout)
    if (meaning !== undefined) return meaning
  }
  return undefined
}

const presetsIn = ({ inFiles }: RowLayout, field: string): ReadonlyMap<string, PresetMeaning> => {
  const presets = inFiles?.presets?.[field]
  return presets === undefined ? none : byWord(presets)
}

const none: ReadonlyMap<string, PresetMeaning> = new Map()

const byWord = onceFor(
  (presets: { readonly [word: string]: PresetMeaning }): ReadonlyMap<string, PresetMeaning> =>
    new Map(Object.entries(presets).map(([word, meaning]) => [plainWord(word), meaning])),
)

/** A word of another field that stands in this one's column. */
function amongOther(word: string, field: string, layout: RowLayout): PresetMeaning | undefined {
  const other = layout.inFiles?.among?.[field]
  const column = other === undefined ? undefined : layout.columns.get(other)
  if (other === undefined || column === undefined) return undefined
  const value = valueWords(column.kind, column.words)?.get(word)
  return value === undefined ? undefined : { [other]: value }
}
