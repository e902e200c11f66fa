import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLInt,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLString,
  Kind as NodeKind,
  type SelectionSetNode,
} from 'graphql'
import type { Collection } from '../../../queries/collection.ts'
import {
  type GroupKey,
  isAdded,
  keysOf,
  type Measure,
  type MeasureName,
  measureNames,
  measuresOf,
} from '../../../queries/members/groups.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import type { DoorCall } from '../../door.ts'
import type { GraphqlContext } from './context.ts'
import { groups } from './costs.ts'
import { fieldTypeOf, type KindType, listOf, needed } from './kind-types.ts'
import { choosing, chosenBy, countOf, listInTurns, readAs, totalCount } from './lists.ts'
import { readThingDocument } from './related.ts'
import { Decimal } from './scalars.ts'

/** A name cannot contain a dot. */
const underscored = (name: string): string => name.replaceAll('.', '_')

/** The measures of a group, by what they do: `sum { price }`, with the fields that each applies to. */
const membersOf = (does: MeasureName): string => (does === 'count' ? 'counts' : does)

interface GroupPage {
  readonly nodes: readonly DataObject[]
  readonly hasMore: boolean
  readonly total: () => Promise<number | Error>
}

/** `dealAggregates(group: ["stage", "currency"]) { nodes { key { stage } count sum { price } } }`: measures are selected. */
export function aggregatesField(collection: Collection): GraphQLFieldConfig<unknown, GraphqlContext> {
  const measures = [...measuresOf(collection).values()]
  return {
    type: groupPageType(collection, measures),
    description: `Groups of ${collection.name} and what is measured of them; one of everything without a group.`,
    args: {
      group: {
        type: listOf(GraphQLString),
        description: 'Keys such as stage or createdAt.month.',
      },
      ...choosing(collection),
      orderBy: { type: GraphQLString, description: 'Keys and measures, such as -sum.price.' },
      ...{ first: { type: GraphQLInt }, page: { type: GraphQLInt } },
    },
    extensions: { estimate: groups },
    resolve: (_source, args, { call }, info) => readGroups(collection, measures, args, call, info),
  }
}

async function readGroups(
  collection: Collection,
  measures: readonly Measure[],
  { group, orderBy, first, page, ...args }: { readonly [name: string]: unknown },
  call: DoorCall,
  info: GraphQLResolveInfo,
): Promise<GroupPage | Error> {
  const sortedBy = typeof orderBy === 'string' ? orderBy : ''
  const selected = selectedPaths(info)
  const wanted = measures.filter(
    (each) => selected.has(pathOf(each)) || sortedBy.split(',').some((part) => namedIn(part) === each.name),
  )
  const isGrouped = Array.isArray(group) && group.length > 0
  const asked = {
    ...chosenBy(collection, args),
    measure: wanted.length === 0 ? 'count' : wanted.map(({ name }) => name),
    ...(isGrouped && { group }),
  }
  const read = await readAs(collection, { ...asked, sort: orderBy, limit: first, page }, call)
  if (read instanceof Error) return read
  return {
    nodes: Array.from(read.page.items, readThingDocument),
    hasMore: read.page.hasMore,
    total: () => countOf(collection, asked, call),
  }
}

const namedIn = (part: string): string =>
  part
    .trim()
    .replace(/^-/, '')
    .replace(/[ .](asc|desc)$/, '')

const pathOf = (measure: Measure): string =>
  'field' in measure ? `${membersOf(measure.does)}.${underscored(measure.field.name)}` : measure.name

/** The selected measures of the groups, at any depth: skipped ones are computed too. */
function selectedPaths({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const paths = new Set<string>()
  const collect = (selections: SelectionSetNode | undefined, path: readonly string[]): void => {
    for (const each of selections?.selections ?? []) {
      if (each.kind === NodeKind.INLINE_FRAGMENT) collect(each.selectionSet, path)
      else if (each.kind === NodeKind.FRAGMENT_SPREAD) {
        collect(fragments[each.name.value]?.selectionSet, path)
      } else {
        const inner = [...path, each.name.value]
        paths.add(inner.slice(1).join('.'))
        collect(each.selectionSet, inner)
      }
    }
  }
  for (const node of fieldNodes) collect(node.selectionSet, [])
  return paths
}

function groupPageType(collection: Collection, measures: readonly Measure[]): GraphQLObjectType {
  const name = pascalCase(collection.item)
  const node = new GraphQLObjectType<DataObject>({
    name: `${name}Aggregate`,
    fields: {
      key: { type: needed(keyType(collection)), resolve: (group) => group },
      count: { type: GraphQLInt },
      ...Object.fromEntries(
        measureNames
          .map((does) => [does, measures.filter((each) => 'field' in each && each.does === does)] as const)
          .filter(([, those]) => those.length > 0)
          .map(([does, those]) => [
            membersOf(does),
            { type: measuredType(collection, does, those), resolve: (group) => group },
          ]),
      ),
    },
  })
  return new GraphQLObjectType<GroupPage>({
    name: `${name}Aggregates`,
    fields: {
      nodes: listInTurns(node),
      hasMore: { type: needed(GraphQLBoolean) },
      totalCount,
    },
  })
}

const keyType = (collection: Collection): GraphQLObjectType =>
  new GraphQLObjectType<DataObject>({
    name: `${pascalCase(collection.item)}GroupKey`,
    fields: membersNamed([...keysOf(collection).values()], (key) => typeOfKey(key, collection)),
  })

/** A part of a date is a text such as 2026-11. */
const typeOfKey = ({ field: { name, kind }, part }: GroupKey, { schema }: Collection): KindType =>
  part === undefined ? fieldTypeOf(name, kind, schema) : GraphQLString

const measuredType = (collection: Collection, does: MeasureName, measures: readonly Measure[]): GraphQLObjectType =>
  new GraphQLObjectType<DataObject>({
    name: `${pascalCase(collection.item)}${pascalCase(does)}`,
    fields: membersNamed(measures, (measure) => typeOfMeasure(measure, collection), `${does}.`),
  })

function typeOfMeasure(measure: Measure, { schema }: Collection): KindType {
  if (!('field' in measure) || measure.does === 'count') return GraphQLInt
  // Sums of integers exceed the 32 bits of Int.
  return isAdded(measure.does) ? Decimal : fieldTypeOf(measure.field.name, measure.field.kind, schema)
}

/** Members of a group, by the names in the query. */
const membersNamed = <T extends { readonly name: string }>(
  all: readonly T[],
  type: (each: T) => KindType,
  before = '',
) =>
  Object.fromEntries(
    all.map((each) => [
      underscored(each.name.slice(before.length)),
      { type: type(each), resolve: (group: DataObject) => group[each.name] ?? null },
    ]),
  )
