import { parameterProblem, type RefusedCall } from '../../http/contract/problems/problem.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Relation } from '../../model/schema/resources.ts'
import type { Parameter, QueryString } from '../../queries/query-string.ts'
import { answerBounds } from '../../values/bounds.ts'
import { type Fault, type Reason, reason } from '../../values/faults/fault.ts'
import { groupsOf } from '../../values/members.ts'
import { unknownName } from '../kit/settings.ts'
import { attributesOf, relationsIn, typesIn } from './resource-type.ts'

/** The shape of a document: the fields of each type, and the included resources. */
export interface Shape {
  /** By type; all fields of the others. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  /** Undefined if it was not requested. */
  readonly include: readonly Inclusion[] | undefined
}

/** A relation to follow, and further ones from there. */
export interface Inclusion {
  readonly relation: Relation
  readonly further: readonly Inclusion[]
}

export const wholeShape: Shape = { fields: new Map(), include: undefined }

/** Reads `include` and `fields[…]`; the other parameters are left. */
export function readShape(
  type: Resource,
  { parameters }: QueryString,
): { readonly shape: Shape; readonly rest: readonly Parameter[] } | RefusedCall {
  if (parameters.length === 0) return { shape: wholeShape, rest: [] }
  const faults: Fault[] = []
  const fields = new Map<string, ReadonlySet<string>>()
  let include: readonly Inclusion[] | undefined
  const rest: Parameter[] = []
  const given = new Set<string>()
  for (const parameter of parameters) {
    const { name, value = '', fault } = parameter
    const [, fieldsOf] = /^fields\[([^[\]]*)\]$/.exec(name) ?? []
    if (name !== 'include' && fieldsOf === undefined) rest.push(parameter)
    else if (fault !== undefined) faults.push({ ...fault, at: { parameter: name } })
    else if (given.has(name)) faults.push({ code: 'repeated', at: { parameter: name } })
    else if (fieldsOf === undefined) include = readInclude(type, value, faults)
    else fields.set(fieldsOf, readFieldset(fieldsOf, value, name, typesIn(type.schema), faults))
    given.add(name)
  }
  return faults.length > 0 ? { problem: parameterProblem(faults) } : { shape: { fields, include }, rest }
}

/** Names separated by commas; an empty text names nothing. */
const namesIn = (value: string): readonly string[] => (value === '' ? [] : value.split(','))

function readFieldset(
  type: string,
  value: string,
  parameter: string,
  types: ReadonlyMap<string, Resource>,
  faults: Fault[],
): ReadonlySet<string> {
  const known = types.get(type)
  if (known === undefined) {
    faults.push({ ...unknownName('type', type, types.keys()), at: { parameter } })
    return new Set()
  }
  const names = [...attributesOf(known), ...groupsOf(known.names), ...relationsIn(known).keys()]
  for (const name of namesIn(value).filter((each) => !names.includes(each))) {
    faults.push({ ...unknownName('field', name, names), at: { parameter } })
  }
  return new Set(namesIn(value))
}

function readInclude(type: Resource, value: string, faults: Fault[]): readonly Inclusion[] {
  const tree: InclusionTree = new Map()
  for (const path of namesIn(value)) {
    const relations = followed(type, path)
    if ('code' in relations) faults.push({ ...relations, at: { parameter: 'include' } })
    else addPath(tree, relations)
  }
  return inclusionsOf(tree)
}

/** The relations of a path, or why it is invalid. */
function followed(type: Resource, path: string): readonly Relation[] | Reason {
  const relations: Relation[] = []
  let at = type
  for (const name of path.split('.')) {
    const relation = relationsIn(at).get(name)
    if (relation === undefined) return unknownName('relationship', name, relationsIn(at).keys())
    relations.push(relation)
    at = relation.of
  }
  if (relations.length > answerBounds.included) return reason('too-many', { max: answerBounds.included, wants: 'path' })
  const many = relations.filter(({ kind }) => kind === 'many').length
  return many > 1 ? reason('too-many', { max: 1, wants: 'to-many' }) : relations
}

type InclusionTree = Map<Relation, InclusionTree>

function addPath(tree: InclusionTree, [first, ...rest]: readonly Relation[]): void {
  if (first === undefined) return
  const below = tree.get(first) ?? new Map()
  tree.set(first, below)
  addPath(below, rest)
}

const inclusionsOf = (tree: InclusionTree): readonly Inclusion[] =>
  [...tree].map(([relation, below]) => ({ relation, further: inclusionsOf(below) }))

/** Whether a relation to many is among those to follow. */
export const includesMany = (include: readonly Inclusion[]): boolean =>
  include.some(({ relation, further }) => relation.kind === 'many' || includesMany(further))
