import type { Relation } from '../../../model/schema/resources.ts'
import type { Collection } from '../../../queries/collection.ts'
import { collectionOf } from '../../../queries/collections.ts'
import {
  expectEnd,
  expected,
  inParentheses,
  misread,
  type Scanner,
  skipSpaces,
  take,
  takeSign,
} from '../../../queries/expressions/scanner.ts'
import type { Condition, SortTerm } from '../../../queries/query.ts'
import { answerBounds } from '../../../values/bounds.ts'
import { reason } from '../../../values/faults/fault.ts'
import { groupOf, keyOf } from '../../../values/json/places.ts'
import { groupsOf } from '../../../values/members.ts'
import { unknownName } from '../../kit/settings.ts'

/** A member of a row in `select`. */
export type ChosenMember =
  | { readonly kind: 'all' }
  | { readonly kind: 'column'; readonly name: string; readonly as: string; readonly asText?: boolean }
  | Embedding

/** Things that belong to a row, shown in it. */
export interface Embedding {
  readonly kind: 'embedding'
  readonly relation: Relation
  readonly as: string
  readonly members: readonly ChosenMember[]
  /** Whether its members are added to those of the row. */
  readonly spread: boolean
  /** Whether rows without such a thing are left out. */
  readonly inner: boolean
  /** Of the related things, those that are shown. */
  readonly conditions: readonly Condition[]
  readonly sort?: readonly SortTerm[]
  readonly limit?: number
  readonly offset?: number
}

export const everything: readonly ChosenMember[] = [{ kind: 'all' }]

export const embeddingsIn = (members: readonly ChosenMember[]): readonly Embedding[] =>
  members.filter((each) => each.kind === 'embedding')

/** Whether an embedding, at any depth, shows many things. */
export const showsMany = (members: readonly ChosenMember[]): boolean =>
  embeddingsIn(members).some((each) => each.relation.kind === 'many' || showsMany(each.members))

/** The source of members. */
interface Choosable extends Pick<Collection, 'columns' | 'relations'> {
  /** How deep it is embedded. */
  readonly level: number
}

/** `id,total:price,customer(name),...customer(country)` */
export function readSelect(scanner: Scanner, collection: Collection): readonly ChosenMember[] {
  const members = readMembers(scanner, { ...collection, level: 0 })
  expectEnd(scanner, 'comma-or-end')
  return members
}

function readMembers(scanner: Scanner, of: Choosable): readonly ChosenMember[] {
  const members: ChosenMember[] = []
  const shown = new Map<string, string>()
  skipSpaces(scanner)
  if (scanner.at === scanner.text.length || scanner.text[scanner.at] === ')') return members
  do {
    skipSpaces(scanner)
    const { at } = scanner
    const member = readMember(scanner, of)
    // Each is shown once, so that an answer cannot be larger than its content.
    if (members.some((each) => isSame(each, member))) misread(at, reason('repeated', { name: nameOf(member) }))
    for (const [as, source] of namesShown(member, of.columns)) {
      if ((shown.get(as) ?? source) !== source) misread(at, reason('repeated', { name: as }))
      shown.set(as, source)
    }
    members.push(member)
    skipSpaces(scanner)
  } while (takeSign(scanner, ','))
  return members
}

const nameOf = (member: ChosenMember): string =>
  member.kind === 'all' ? '*' : member.kind === 'column' ? member.name : member.relation.name

const isSame = (one: ChosenMember, other: ChosenMember): boolean =>
  one.kind === other.kind && nameOf(one) === nameOf(other) && isText(one) === isText(other)

const isText = (member: ChosenMember): boolean => member.kind === 'column' && member.asText === true

type ShownName = readonly [as: string, source: string]

/** The names that a row has because of a member, each with what is shown there. */
function namesShown(member: ChosenMember, columns: readonly string[]): readonly ShownName[] {
  if (member.kind === 'all') return columns.map((name) => name.split('.', 1)[0] ?? '').map((name) => [name, name])
  if (member.kind === 'column') return [[member.as, isText(member) ? `${member.name} as text` : member.name]]
  const { relation, members, as, spread } = member
  if (!spread) return members.length === 0 ? [] : [[as, `${relation.name}()`]]
  const inside = members.flatMap((each) => namesShown(each, relation.of.names))
  return inside.map(([name, source]) => [name, `${relation.name}.${source}`])
}

const word = /(?:\w|-(?!>))+|"[^"]+"/y
const alias = /(?:[\w-]+|"[^"]+")(?=:(?!:))/y

function readMember(scanner: Scanner, of: Choosable): ChosenMember {
  if (takeSign(scanner, '*')) return { kind: 'all' }
  const spread = takeSign(scanner, '...')
  const as = takeName(scanner, alias)
  if (as !== undefined) takeSign(scanner, ':')
  const { at } = scanner
  const name = takeName(scanner, word)
  if (name === undefined) expected(scanner, 'column')
  const inside = takeInside(scanner, of, name)
  if (inside !== undefined) {
    const asText = takeCast(scanner) || inside.asText
    return { kind: 'column', name: inside.name, asText, as: as ?? keyOf(inside.name) }
  }
  if (/^(?:->|\.\w+\()/.test(scanner.text.slice(scanner.at)))
    misread(at, reason('unsupported', { wants: 'plain-columns' }))
  const asText = takeCast(scanner)
  const hints = readHints(scanner)
  if (hints.length > 0 || spread || scanner.text[scanner.at] === '(') {
    return readEmbedding(scanner, of, { at, name, as: as ?? name, hints, spread })
  }
  if (of.columns.includes(name) || groupsOf(of.columns).has(name))
    return { kind: 'column', name, as: as ?? name, asText }
  return misread(at, unknownName('column', name, of.columns))
}

/** `price::text` */
function takeCast(scanner: Scanner): boolean {
  const { at } = scanner
  const type = take(scanner, /::\w+/y)
  if (type !== undefined && type !== '::text') misread(at, reason('unsupported', { wants: 'plain-columns' }))
  return type !== undefined
}

/** `own->>budget`, as text, or `own->budget`, as it is. */
function takeInside(
  scanner: Scanner,
  of: Choosable,
  name: string,
): { readonly name: string; readonly asText: boolean } | undefined {
  const [all = '', arrow, key = ''] = /^(->>?)([\w-]+)/.exec(scanner.text.slice(scanner.at)) ?? []
  const path = `${name}.${key}`
  if (arrow === undefined || !groupsOf(of.columns).has(name)) return undefined
  if (!of.columns.includes(path)) {
    const known = of.columns.flatMap((each) => (groupOf(each) === name ? name + arrow + keyOf(each) : []))
    misread(scanner.at - name.length, unknownName('column', name + arrow + key, known))
  }
  scanner.at += all.length
  return { name: path, asText: arrow === '->>' }
}

const takeName = (scanner: Scanner, pattern: RegExp): string | undefined =>
  take(scanner, pattern)?.replace(/^"(.*)"$/, '$1')

function readHints(scanner: Scanner): readonly string[] {
  const hints: string[] = []
  while (takeSign(scanner, '!')) hints.push(takeName(scanner, word) ?? expected(scanner, 'hint'))
  return hints
}

interface Embedded extends Pick<Embedding, 'as' | 'spread'> {
  readonly at: number
  readonly name: string
  readonly hints: readonly string[]
}

function readEmbedding(scanner: Scanner, of: Choosable, { at, name, hints, ...asked }: Embedded): Embedding {
  if (of.level >= answerBounds.nested) misread(at, reason('too-deep', { max: answerBounds.nested }))
  const inner = hints.includes('inner')
  const others = hints.filter((hint) => hint !== 'inner' && hint !== 'left')
  const relation = [...of.relations.values()].find(
    (each) =>
      (each.name === name || each.of.plural === name) &&
      others.every((hint) => hint === each.field || hint === each.name),
  )
  if (relation === undefined) {
    misread(at, unknownName('relation', name, of.relations.keys()))
  }
  if (relation.kind === 'many' && asked.spread) misread(at, reason('unsupported', { wants: 'to-many', name }))
  const { relations } = collectionOf(relation.of)
  const inside = { columns: relation.of.names, relations, level: of.level + 1 }
  const members = inParentheses(scanner, () => readMembers(scanner, inside))
  return { kind: 'embedding', relation, members, inner, conditions: [], ...asked }
}
