import type { FileColumn } from '../../imports/cells/reading.ts'
import { fieldsIn, layoutOf } from '../../imports/columns/layout.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { Failure } from '../failure.ts'

/** A caller's choice for a column: `Betrag=price`, `T€=price*1000`, or `Notes=` for none. */
export interface MappedColumn {
  readonly heading: string
  /** Null to leave the column out. */
  readonly field: string | null
  readonly unit?: number
}

/** Undefined if it is not said so. */
export function readMapped(said: string): MappedColumn | undefined {
  // A heading may have a sign of equality, a field never.
  const at = said.lastIndexOf('=')
  const [, field = '', factor] =
    /^\s*([^\s*=]*)\s*(?:\*\s*(\d{1,12}(?:\.\d{1,6})?))?\s*$/.exec(said.slice(at + 1)) ?? []
  const heading = said.slice(0, at).trim()
  const isWrong = at < 1 || heading === '' || (field === '' && said.slice(at + 1).trim() !== '') || Number(factor) === 0
  if (isWrong) return undefined
  return { heading, field: field === '' ? null : field, ...(factor !== undefined && { unit: Number(factor) }) }
}

/** The columns with the fields that a caller says. */
export function mappedColumns(
  path: string,
  columns: readonly FileColumn[],
  map: readonly MappedColumn[],
  resource: Resource,
): readonly FileColumn[] {
  const fields = fieldsIn(layoutOf(resource))
  const headings = columns.map(({ heading }) => heading)
  for (const { heading, field } of map) {
    if (!headings.includes(heading)) throw noColumn(path, heading, headings)
    if (field !== null && !fields.includes(field)) throw noField(field, fields)
  }
  const said = new Map(map.map((each) => [each.heading, each]))
  const taken = new Set(map.map(({ field }) => field))
  return columns.map((column) => {
    const mapped = said.get(column.heading)
    if (mapped === undefined) return taken.has(column.field) ? { ...column, field: null } : column
    const { field, unit } = mapped
    return { ...column, field, reading: unit === undefined ? column.reading : { ...column.reading, unit } }
  })
}

export const noColumn = (path: string, name: string, headings: readonly string[]): Failure =>
  new Failure(
    `${path} has no column ${JSON.stringify(name)}${meant(nearest(name, headings))}; it has ${headings.map((each) => JSON.stringify(each)).join(', ')}`,
  )

const noField = (name: string, fields: readonly string[]): Failure =>
  new Failure(
    `there is no field ${JSON.stringify(name)}${meant(nearest(name, fields))}; the fields are ${fields.join(', ')}`,
  )

const meant = (name: string | undefined): string => (name === undefined ? '' : `, did you mean ${name}?`)
