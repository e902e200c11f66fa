import type { Relation } from '../../model/schema/resources.ts'
import { answerBounds } from '../../values/bounds.ts'
import { fault, near } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Read } from '../../values/kinds/kind.ts'
import type { Collection } from '../collection.ts'

/** A relation to show in each item. */
export interface Expansion {
  readonly relation: Relation
  /** The members of the related things; absent for all. */
  readonly fields?: readonly string[]
}

/** The members that an item shows. */
export interface ShownMembers {
  /** Absent for all; `customer.name` is a member of a related thing. */
  readonly fields?: readonly string[]
  readonly expand?: readonly Expansion[]
}

/** `customer`: relations by name. */
export function readExpand({ relations, name }: Collection, text: string): Read<readonly Relation[]> {
  const asked = new Set(text.split(',').map((name) => name.trim()))
  const unknown = [...asked].find((each) => !relations.has(each))
  if (unknown === undefined) return { value: [...relations.values()].filter((each) => asked.has(each.name)) }
  return relations.size === 0
    ? fault('no-relations', { of: name })
    : fault('unknown-relation', { name: unknown, ...near(nearest(unknown, relations.keys())) })
}

/** A field of a related thing expands its relation, to the named members only. */
export function shownMembers(
  { relations }: Collection,
  { fields, expand = [] }: { readonly fields?: readonly string[]; readonly expand?: readonly Relation[] },
): ShownMembers {
  const expansions = [...relations.values()].flatMap((relation): readonly Expansion[] => {
    const { name } = relation
    const own = (fields ?? [])
      .filter((field) => field.startsWith(`${name}.`))
      .map((field) => field.slice(name.length + 1))
    if (own.length > 0 && !fields?.includes(name)) return [{ relation, fields: own }]
    return expand.includes(relation) || fields?.includes(name) ? [{ relation }] : []
  })
  const unnamed = expansions
    .map(({ relation }) => relation.name)
    .filter((name) => !fields?.some((each) => headOf(each) === name))
  return {
    ...(fields && { fields: [...fields, ...unnamed] }),
    ...(expansions.length > 0 && { expand: expansions }),
  }
}

/** The columns of a table: the members of one related thing have separate columns, many things share one. */
export function shownColumns({ columns }: Collection, { fields, expand = [] }: ShownMembers): readonly string[] {
  if (fields === undefined && expand.length === 0) return columns
  const names = fields ?? [...columns, ...expand.map(({ relation }) => relation.name)]
  const shown = names.flatMap((name) => {
    const relation = expand.find((each) => each.relation.name === headOf(name))?.relation
    if (relation === undefined) return [name]
    if (relation.kind === 'many') return [relation.name]
    return name === relation.name ? relation.of.names.map((own) => `${name}.${own}`) : [name]
  })
  return [...new Set(shown)]
}

/** The largest page of such items. */
export const largestPage = ({ expand = [] }: ShownMembers): number =>
  expand.some(({ relation }) => relation.kind === 'many') ? answerBounds.related : Number.POSITIVE_INFINITY

const headOf = (field: string): string => field.split('.', 1)[0] ?? field
