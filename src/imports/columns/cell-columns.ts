import type { ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
import { fault } from '../../values/faults/fault.ts'
import type { Kind, Read, Within } from '../../values/kinds/kind.ts'
import { brokenCell } from '../cells/broken-cell.ts'
import { type Cell, textOf } from '../cells/cell.ts'
import { cellReader, isMoney, type ReadCell } from '../cells/cell-reader.ts'
import type { FileColumn } from '../cells/reading.ts'
import { plainWord } from '../cells/spoken.ts'
import { type DeclaredWords, type PlacedValue, placedWords } from '../cells/value-words.ts'
import { partOf } from './headings.ts'
import type { RowColumn, RowLayout } from './layout.ts'
import { type ColumnMeanings, columnMeanings } from './meanings.ts'
import type { ThingName } from './thing-name.ts'

/** A field, and the columns whose cells are its text. */
export interface CellColumn {
  readonly name: string
  /** The places of its columns. */
  readonly at: readonly number[]
  readonly read: ReadCell
  readonly isNeeded: boolean
  readonly emptiable: boolean
  /** Set if `read` returns an amount with its currencies. */
  readonly isMoney: boolean
  /** The currency of an amount with a symbol that several share, and of a bare one; null if nobody knows it. */
  readonly currency: string | undefined
  readonly bare: string | null | undefined
  /** The meaning of an empty cell; undefined if it has none. */
  readonly empty: { readonly value: unknown } | undefined
  /** Reads a choice that depends on another field, whose value a cell may name too; undefined if `read` decides. */
  readonly among: Among | undefined
  /** The meanings of values of the column that are not those of its field. */
  readonly meanings: ColumnMeanings | undefined
  /** Whether its cells have several values. */
  readonly isSet: boolean
}

interface Among {
  readonly field: string
  read(cell: Cell, of: unknown): Read<PlacedValue> | undefined
}

/** The fields that the columns of a file have. */
export function cellColumns(
  given: readonly FileColumn[],
  layout: RowLayout,
  answers?: ValueAnswers,
): readonly CellColumn[] {
  const found = new Map<string, CellColumn>()
  for (const [at, column] of given.entries()) {
    const { field } = column
    const row = field === null ? undefined : layout.columns.get(field)
    if (field === null || row === undefined || row.ignored) continue
    const known = found.get(field)
    const made = known ?? cellColumn(field, column, row, layout, answers)
    found.set(field, { ...made, at: inOrder([...made.at, at], given, layout.parts?.[field]) })
  }
  // A field that another depends on is read before it.
  return [...found.values()].toSorted((a, b) => Number(a.among !== undefined) - Number(b.among !== undefined))
}

/** A first name comes before a last one, whatever the order of their columns. */
function inOrder(
  places: readonly number[],
  given: readonly FileColumn[],
  parts: readonly (readonly string[])[] = [],
): readonly number[] {
  const place = (at: number): number => partOf(given[at]?.heading ?? '', parts) ?? parts.length
  return places.length === 1 ? places : places.toSorted((a, b) => place(a) - place(b) || a - b)
}

function cellColumn(
  name: string,
  column: FileColumn,
  row: RowColumn,
  layout: RowLayout,
  answers: ValueAnswers | undefined,
): CellColumn {
  const { kind, optional = false, emptiable = false } = row
  const { currency, bare = currency } = column.reading ?? {}
  const isNeeded = layout.oneOf.includes(name)
  const read = kind.nullable ? { value: null } : kind.readText('')
  const meanings = columnMeanings(column, layout, answers)
  return {
    ...{ name, at: [], isNeeded, emptiable, meanings, read: valueReader(column, row, layout, meanings) },
    isMoney: isMoney(kind),
    isSet: kind.name === 'choices',
    ...{ currency, bare },
    empty: optional || isNeeded || 'fault' in read ? undefined : read,
    among: kind.within && kind.within.groups.size > 1 ? amongReader(kind.within, row.words) : undefined,
  }
}

/** `Renewals: Due`, or `Due` next to another column with the pipeline. */
function amongReader(within: Within, declared: DeclaredWords | undefined): Among {
  const { field } = within
  const { together, beside } = placedWords(within, declared)
  return {
    field,
    read(cell, of) {
      const text = textOf(cell)
      // Either title may have a colon.
      for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
        const found = together.get(`${plainWord(text.slice(0, at))}:${plainWord(text.slice(at + 1))}`)
        if (found === undefined) continue
        return of === undefined || of === found.of ? { value: found } : fault('contradicts', { other: field })
      }
      const value = beside.get(of)?.get(plainWord(text))
      return value === undefined ? undefined : { value: { of, value } }
    },
  }
}

/** A column may name things of another resource by words; only exports of ours have their serial numbers. */
function valueReader(
  { heading, field, reading }: FileColumn,
  { kind, words }: RowColumn,
  { zone }: RowLayout,
  meanings: ColumnMeanings | undefined,
): ReadCell {
  if (field === 'id') return idReader(kind)
  // Exports with the names of the API have their times in UTC.
  const read = cellReader(kind, reading, { words, zone: heading === field ? undefined : zone })
  if (kind.name === 'choices' && meanings !== undefined) return itemsReader(kind, read, meanings)
  if (kind.refersTo === undefined) return read
  return (cell) => {
    const broken = brokenCell(cell)
    if (broken !== undefined) return { fault: broken }
    const text = textOf(cell).trim()
    const [, number] = /^#(\d+)$/.exec(text) ?? []
    const key = kind.readText(number ?? text)
    const isKey = number !== undefined || (heading === field && /^\d+$/.test(text))
    if (isKey || (kind.name === 'uuid' && 'value' in key)) return key
    return { value: { thingName: text } satisfies ThingName }
  }
}

/** Exports as shown have `#18`. */
const idReader =
  (kind: Kind<unknown>): ReadCell =>
  (cell) =>
    kind.readText(
      textOf(cell)
        .trim()
        .replace(/^#(?=\d+$)/, ''),
    )

/** A set, of which some items are answered. */
const itemsReader =
  (kind: Kind<unknown>, read: ReadCell, { answered, preset }: ColumnMeanings): ReadCell =>
  (cell) => {
    const items = textOf(cell).split(';')
    const meant = items.map((item) => answered(item) ?? ('fault' in read(item) ? preset(item) : undefined))
    if (meant.every((each) => each === undefined)) return read(cell)
    const found: unknown[] = []
    for (const [at, item] of items.entries()) {
      const meaning = meant[at]
      const own: Read<unknown> =
        meaning === undefined ? read(item) : { value: meaning.sets.flatMap(([, value]) => value) }
      if ('fault' in own) return own
      found.push(...(own.value as readonly unknown[]))
    }
    return kind.read([...new Set(found)])
  }

/** The texts of several columns are one. */
export function cellOf({ at }: CellColumn, cells: readonly Cell[]): Cell {
  if (at.length === 1) return cells[at[0] as number] ?? ''
  return at.flatMap((place) => textOf(cells[place] ?? '').trim() || []).join(' ')
}
