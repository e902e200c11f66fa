import { pick } from '../../../src/demo/random.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import { type Collection, type CollectionField, filterable } from '../../../src/queries/collection.ts'
import { collectionsOf } from '../../../src/queries/collections.ts'
import { dialects } from '../../../src/queries/dialects/dialects.ts'
import { comparisonNames } from '../../../src/queries/expressions/comparison.ts'
import { memberIn } from '../../../src/values/members.ts'
import { chance, type Drawing, type Drawn, either, resourceOf, someThing, weighted } from './drawing.ts'
import { drawText, drawValue } from './values.ts'

const listed = [
  [5, 'deal'],
  [3, 'customer'],
  [3, 'task'],
  [1, 'field'],
  [1, 'pipeline'],
] as const
/** Pages for people show more than is compared. */
const formats = ['json', 'xml', 'csv', 'ndjson', 'hal', 'yaml', 'json'] as const

export function read(drawing: Drawing): Drawn {
  const resource = resourceOf(drawing, weighted(drawing, listed))
  const way = weighted(drawing, [
    [6, list],
    [4, groups],
    [2, one],
    [1, past],
    [1, found],
    [1, throughOthers],
  ])
  return { does: 'ask', method: 'GET', path: way(drawing, resource) }
}

function list(drawing: Drawing, resource: Resource): string {
  const collection = collectionOf(drawing, resource)
  const { random } = drawing
  const shown = shownFields(collection)
  // Two things may be of one instant on one side alone.
  const sorted = shown.filter(({ name }) => !/(?:edAt|Since)$/.test(name))
  const asked = [
    ...filters(drawing, resource, collection),
    ...(chance(drawing, 50) ? [`sort=${pick(['', '-'], random)}${pick(sorted, random).name}`] : []),
    ...(chance(drawing, 20) ? [`fields=id,${pick(shown, random).name}`] : []),
    ...(chance(drawing, 15) ? ['count=exact'] : []),
  ]
  const format = pick(formats, random)
  const page = format === 'csv' || format === 'ndjson' ? [] : [`maxpagesize=${pick([2, 10, 1000], random)}`]
  return `${resource.path}.${format}?${[...asked, ...page].join('&')}`
}

function groups(drawing: Drawing, resource: Resource): string {
  const collection = collectionOf(drawing, resource)
  const { random } = drawing
  const shown = shownFields(collection)
  const own = shown.filter(({ name }) => name.startsWith('own.'))
  const by = pick(own.length > 0 && chance(drawing, 50) ? own : shown, random)
  const parts = ['.month', '.year', '.week', '.day']
  // Things of one batch may have one instant or several.
  const isOfNow = /^(?:created|updated)At$/.test(by.name)
  const part = /date|instant/.test(by.kind.name) ? pick(isOfNow ? parts : ['', ...parts], random) : ''
  const measures = ['count', ...Array.from({ length: random(3) }, () => measure(drawing, shown))]
  const money = chance(drawing, 60) && resource.name === 'deal' ? ',currency' : ''
  const group = chance(drawing, 90) ? [`group=${by.name}${part}${money}`] : []
  return `${resource.path}?${[...group, `measure=${measures}`, ...filters(drawing, resource, collection)].join('&')}`
}

/** Ids can be compared: the numbers of customers are not the same on both sides. */
function measure(drawing: Drawing, shown: readonly CollectionField[]): string {
  const { name, kind } = pick(shown, drawing.random)
  if (chance(drawing, 25)) return either(drawing, 'min.id', 'max.id')
  const isId = name === 'id' || kind.refersTo !== undefined
  return `${isId ? either(drawing, 'min', 'max') : either(drawing, 'min', 'max', 'sum', 'avg')}.${name}`
}

const collectionOf = ({ schema }: Drawing, { plural }: Resource): Collection => {
  const collection = Object.values(collectionsOf(schema)).find(({ name }) => name === plural)
  if (collection === undefined) throw new Error(`there is no collection ${plural}`)
  return collection
}

const shownFields = ({ fields }: Collection): readonly CollectionField[] =>
  [...fields.values()].filter(({ hidden, through }) => !hidden && through === undefined)

/** Comparisons in whichever dialect, with values that things have. */
function filters(drawing: Drawing, resource: Resource, collection: Collection): readonly string[] {
  const { random } = drawing
  return Array.from({ length: random(3) }, () => {
    if (collection.searched.length > 0 && chance(drawing, 15)) return `q=${encodeURIComponent(drawText(drawing))}`
    const field = pick(filterable(collection), random)
    const operator = pick(comparisonNames, random)
    const texts = [operator === 'null' ? String(random(2) === 0) : textOf(drawing, resource, field)]
    const spelled = dialects.flatMap((dialect) => dialect.spell(collection, { field, operator, texts }))
    return spelled.length === 0 ? '' : pick(spelled, random)
  }).filter(Boolean)
}

function textOf(drawing: Drawing, { name }: Resource, { name: field, kind, through }: CollectionField): string {
  const thing = someThing(drawing, through?.of.name ?? name)
  const known = memberIn(thing?.latest ?? {}, through?.field.name ?? field)
  const value = known ?? drawValue(drawing, { ...kind, nullable: false })
  return String(Array.isArray(value) ? (value[0] ?? '') : value)
}

function one(drawing: Drawing, resource: Resource): string {
  const thing = someThing(drawing, resource.name)
  const below = pick(['', '', '/history', '/actions', '/commands', '.xml', '.hal', '.yaml'], drawing.random)
  return `${resource.path}/${thing?.name ?? 'ID0n9Z'}${below}`
}

function past(drawing: Drawing, resource: Resource): string {
  const thing = someThing(drawing, resource.name)
  return `${resource.path}/${thing?.name ?? 'ID0n9Z'}?revision=${1 + drawing.random(Number(thing?.latest?.revision ?? 3))}`
}

const found = (drawing: Drawing): string => `/search?q=${encodeURIComponent(drawText(drawing))}`

/** A list of a door. */
function throughOthers(drawing: Drawing, { plural }: Resource): string {
  const set = plural.replace(/^./, (letter) => letter.toUpperCase())
  return pick(
    [`/jsonapi/${plural}?page[size]=20`, `/odata/${set}?$top=20`, `/postgrest/${plural}?limit=20`],
    drawing.random,
  )
}
