import { resourceNamed } from '../../../model/resources.ts'
import type { Resource } from '../../../model/schema.ts'
import { columnOfField, kindIn } from '../../rows/things.ts'

/** The places of things in parts of others, such as those of deals in the stages of pipelines. */
export interface PartPlaces {
  /** The resource of the things. */
  readonly on: Resource
  /** The columns with the value that names the other thing, and with the part. */
  readonly within: string
  readonly part: string
  /** True for every row: with it, an index begins with the place. */
  readonly anywhere: string
}

export function placesIn({ name, parts, schema }: Resource): PartPlaces {
  if (parts === undefined) throw new Error(`nothing is in parts of a ${name}`)
  const on: Resource = resourceNamed(schema, parts.on)
  const lane = on.lanes?.find((each) => each.within.includes(parts.within) && each.within.includes(parts.part))
  const before = lane?.within.slice(0, lane.within.indexOf(parts.within)) ?? []
  return {
    on,
    within: columnOfField(on, parts.within),
    part: columnOfField(on, parts.part),
    anywhere: ['true', ...before.map((field) => isAny(on, field))].join(' AND '),
  }
}

function isAny(on: Resource, field: string): string {
  const { schema } = kindIn(on.kinds, field)
  const values = 'enum' in schema && Array.isArray(schema.enum) ? schema.enum : []
  const listed = values.map((value) => `'${value}'`).join(', ')
  return values.length === 0 ? 'true' : `${columnOfField(on, field)} IN (${listed})`
}

/** Counts what is in each part of things, deleted ones included: rows of id, part and number. */
export function countParts(resource: Resource, isOne: string): string {
  const { on, within, part, anywhere } = placesIn(resource)
  const by = columnOfField(resource, resource.parts?.by ?? '')
  return `SELECT counting.id, place, count(*) FROM (SELECT id, ${by} AS named FROM ${resource.plural} WHERE ${isOne}) AS counting
    JOIN (SELECT ${within} AS whole, ${part} AS place FROM ${on.plural} WHERE ${anywhere}) AS places ON whole = named
    GROUP BY counting.id, place`
}
