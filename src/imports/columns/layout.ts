import type { FileWords } from '../../model/declaration/file-words.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { integer } from '../../values/kinds/number.ts'
import type { DeclaredWords } from '../cells/value-words.ts'

/** The values of a row, only of the members that it has. */
export type GivenValues = Readonly<Record<string, unknown>>

/** The fields that the rows of a file may have, and what each row must have. */
export interface RowLayout {
  readonly columns: ReadonlyMap<string, RowColumn>
  /** Each row needs at least one of these; if there are none, a row may have anything. */
  readonly oneOf: readonly string[]
  /** Fields that name one thing each: no two rows have the same value. */
  readonly uniques: readonly string[]
  /** The field with the currency of amounts, and the currency of new things; absent if there is none. */
  readonly currency?: { readonly field: string; readonly initial: string }
  /** Fields whose text may be in several columns, with the headings of each part in order. */
  readonly parts?: { readonly [field: string]: readonly (readonly string[])[] }
  /** The words of files. */
  readonly inFiles?: FileWords
  /** The time zone of times without one. */
  readonly zone?: string | undefined
}

export interface RowColumn {
  readonly kind: Kind<unknown>
  /** Assigned by the service: an export has it, an import ignores it. */
  readonly ignored?: boolean
  /** Null and an empty cell mean nothing. */
  readonly optional?: boolean
  /** Whether an unreadable cell may be left empty: the thing needs it neither to exist nor to be known again. */
  readonly emptiable?: boolean
  /** The words of files for its values. */
  readonly words?: DeclaredWords
}

/** Things without an id are numbered after the largest one: this leaves trillions of numbers. */
const givenId = integer({ min: 1, max: 9e15 })

/**
 * The columns of a resource's rows. Every field may be in a file, as in an export; those that the service assigns are
 * ignored. `usual` is the currency of new things, if a setting says it, and `zone` that of times without one.
 */
export function layoutOf(resource: Resource, usual?: string, zone?: string): RowLayout {
  const { fields, inFiles, moneyIn } = resource
  const initial = usual ?? (moneyIn === undefined ? undefined : fields[moneyIn]?.initial)
  return {
    ...(resource.imports === 'together' ? togetherLayout(resource) : rowByRowLayout(resource)),
    ...(moneyIn !== undefined && { currency: { field: moneyIn, initial: String(initial) } }),
    ...(inFiles?.parts && { parts: inFiles.parts }),
    ...(inFiles && { inFiles }),
    zone,
  }
}

/** The fields that a column of a file may be. */
export const fieldsIn = ({ columns }: RowLayout): readonly string[] =>
  [...columns].flatMap(([name, { ignored }]) => (ignored ? [] : [name]))

/** A row has the members that a creation needs; id and createdAt may say who it is and since when. */
function togetherLayout(resource: Resource): RowLayout {
  const { fields } = resource
  const taken = ['id', 'createdAt']
  const columns = Object.entries(fields).map(([name, { kind, by }]): [string, RowColumn] => [
    name,
    {
      ...said(resource, name),
      kind: name === 'id' ? givenId : kind,
      ignored: by === 'service' && !taken.includes(name),
      optional: taken.includes(name),
    },
  ])
  const needed = Object.entries(fields).filter(([, { by, initial }]) => by === 'client' && initial === undefined)
  return { columns: new Map(columns), oneOf: needed.map(([name]) => name), uniques: resource.uniques }
}

/** A row names its thing; empty fields that operations set are ignored. */
function rowByRowLayout(resource: Resource): RowLayout {
  const columns = Object.entries(resource.fields).map(([name, { kind, by }]): [string, RowColumn] => [
    name,
    { ...said(resource, name), kind, ignored: by === 'service' && name !== 'id', optional: by !== 'client' },
  ])
  return { columns: new Map(columns), oneOf: ['id', ...resource.uniques], uniques: resource.uniques }
}

/** The words of files for the values of a field, and whether a thing can do without it. */
function said({ fields, uniques, inFiles }: Resource, name: string): Pick<RowColumn, 'words' | 'emptiable'> {
  const words = inFiles?.values?.[name]
  const isKey = name === 'id' || uniques.includes(name)
  const emptiable = !isKey && fields[name] !== undefined && (fields[name].by !== 'client' || 'initial' in fields[name])
  return { emptiable, ...(words && { words }) }
}
