import { pick } from '../../../src/demo/random.ts'
import { requestsIn } from '../../../src/http/contract/form.ts'
import { forms } from '../../../src/http/forms/forms.ts'
import type { Params } from '../../../src/model/declaration/operation.ts'
import { membersToChange } from '../../../src/model/declaration/resource.ts'
import type { Operation, Resource } from '../../../src/model/declaration/schema.ts'
import { attributesFor } from '../../../src/model/intent/attributes.ts'
import { creationOf, operationsOnExisting } from '../../../src/model/schema/resources.ts'
import { isObject } from '../../../src/values/json/is-object.ts'
import { type Members, memberIn, nested } from '../../../src/values/members.ts'
import type { KnownThing } from '../known-things.ts'
import { throughDoor } from './doors.ts'
import { asJson, chance, type Drawing, type Drawn, namedThing, resourceOf, someThing, weighted } from './drawing.ts'
import { modelParams } from './model.ts'
import { drawValue } from './values.ts'

/** An operation on a thing, however it will be asked for. */
export interface Wanted {
  readonly operation: Operation
  readonly params: { readonly [name: string]: unknown }
  /** The name of the thing; empty for a new one. */
  readonly target: string
  /** A unique value of the thing, to name it by. */
  readonly by?: Naming
}

export interface Naming {
  readonly field: string
  readonly value: unknown
}

const weights: readonly (readonly [weight: number, resource: string])[] = [
  ...([
    [40, 'deal'],
    [24, 'customer'],
    [22, 'task'],
    [4, 'view'],
    [3, 'rate'],
    [3, 'target'],
  ] as const),
]
const modelWeights = [
  [6, 'field'],
  [3, 'pipeline'],
] as const

export const wanted = (drawing: Drawing): Wanted => wantedOf(drawing, resourceOf(drawing, weighted(drawing, weights)))

export const wantedOfModel = (drawing: Drawing): Wanted =>
  wantedOf(drawing, resourceOf(drawing, weighted(drawing, modelWeights)))

function wantedOf(drawing: Drawing, resource: Resource): Wanted {
  const some = someThing(drawing, resource.name)
  const creates = some === undefined || chance(drawing, resource.shapes === undefined ? 22 : 45)
  const operation = creates ? creationOf(resource) : pick(likely(drawing, resource, 15), drawing.random)
  const thing = isEnding(operation) && chance(drawing, 60) ? (namedThing(drawing, resource.name) ?? some) : some
  const target = creates || thing === undefined ? '' : thing.name
  const params =
    modelParams(drawing, operation.words.action, target) ?? drawParams(drawing, operation.params, operation)
  const by = creates || thing === undefined ? undefined : naming(drawing, resource, thing)
  return { operation, params: params as Wanted['params'], target, ...(by && { by }) }
}

/** What ends things is drawn seldom, so that there are some, but whatever else there is. */
export function likely(drawing: Drawing, resource: Resource, endings: number): readonly Operation[] {
  const all = operationsOnExisting(resource)
  const isWanted = chance(drawing, endings)
  const those = all.filter((each) => isEnding(each) === isWanted)
  return those.length > 0 ? those : all
}

const isEnding = ({ name }: Operation): boolean => /^(delete|restore|retire)$/.test(name)

/** Parameters that the operation asks for, and some of those that it takes. */
export function drawParams(drawing: Drawing, members: Members, { examples }: Pick<Operation, 'examples'>): object {
  const drawn = Object.entries(members).flatMap(([name, { kind, required }]): [string, unknown][] => {
    // Things are named by them.
    const isWanted = name.startsWith('own.') || name === 'reference' || kind.refersTo !== undefined
    if (!chance(drawing, required ? 98 : isWanted ? 55 : 30)) return []
    if (kind.name === 'json') {
      const example = memberIn(pick<object>(examples as readonly object[], drawing.random), name)
      return example === undefined ? [] : [[name, example]]
    }
    // A query is of a collection: the example of one goes with that of the other.
    if (kind.queryOf !== undefined) return [[name, 'status=open']]
    return [[name, drawValue(drawing, kind)]]
  })
  return nested(drawn)
}

/** One of the unique values that the thing has, most often. */
function naming(drawing: Drawing, { uniques }: Resource, { latest }: KnownThing): Naming | undefined {
  const values = uniques.flatMap((field) => {
    const value = memberIn(latest ?? {}, field)
    return value === null || value === undefined ? [] : [{ field, value }]
  })
  return values.length > 0 && chance(drawing, 45) ? pick(values, drawing.random) : undefined
}

/** The target as a body names it. */
export const targetInBody = ({ target, by }: Wanted): unknown => (by === undefined ? target : { [by.field]: by.value })

/** A request for the operation, in whichever form or door. */
export function asked(drawing: Drawing, want: Wanted): Drawn {
  const throughSome = chance(drawing, 30) ? throughDoor(drawing, want) : undefined
  return throughSome ?? inSomeForm(drawing, want)
}

function inSomeForm(drawing: Drawing, want: Wanted): Drawn {
  const { operation, params, target, by } = want
  const { on: resource } = operation
  if (target !== '' && chance(drawing, 15)) return asAttributes(drawing, want)
  const id = chance(drawing, 12) ? target.replace('ID', 'UP') : target
  const sample = { operation, params: params as Params, target: id, command: `c-${drawing.at}` }
  const requests = forms.flatMap((form) => requestsIn(form, sample).map((request) => ({ form, request })))
  const { form, request } = pick(requests, drawing.random)
  const { method, path } = request
  const body = by !== undefined ? namedInBody(request.body, resource, want) : request.body
  const address = by === undefined ? path : namedInPath(path, resource, by, id)
  const isForm = isObject(body) && method === 'POST' && form.name === 'noun' && chance(drawing, 15)
  const content = body === undefined ? {} : isForm ? asForm(body) : asJson(body)
  const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}
  return { does: 'ask', method, path: address, ...content, headers: { ...content.headers, ...type } }
}

/** Only some forms name the thing in their body. */
function namedInBody(body: Params | undefined, { name }: Resource, want: Wanted): unknown {
  if (!isObject(body)) return body
  const target = want.target.replace('ID', 'UP')
  const member = [name, 'id'].find((each) => body[each] === want.target || body[each] === target)
  return member === undefined ? body : { ...body, [member]: targetInBody(want) }
}

/** A custom method is of an id alone. */
const namedInPath = (path: string, resource: Resource, { field, value }: Naming, id: string): string =>
  path.startsWith(`${resource.path}/${id}:`)
    ? path
    : path.replace(`${resource.path}/${id}`, `${resource.path}/by/${field}/${encodeURIComponent(String(value))}`)

function asForm(body: object): Pick<Drawn, 'headers' | 'body'> {
  const fields = new URLSearchParams(
    Object.entries(body).flatMap(([name, value]) => (isObject(value) ? [] : [[name, String(value ?? '')]])),
  )
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: fields.toString() }
}

/** Fields as they should be, by PUT or PATCH, at the id or at a value. */
function asAttributes(drawing: Drawing, { operation, params, target, by }: Wanted): Drawn {
  const { on: resource } = operation
  const merges = chance(drawing, 60)
  const own = attributesFor(operation, params as Params)
  const body =
    own !== undefined && chance(drawing, 50) ? own : drawParams(drawing, optional(membersToChange(resource)), operation)
  const at = by === undefined ? target : `by/${by.field}/${encodeURIComponent(String(by.value))}`
  const content = asJson(body)
  const headers = merges ? { 'content-type': 'application/merge-patch+json' } : content.headers
  return {
    does: 'ask',
    method: merges ? 'PATCH' : 'PUT',
    path: `${resource.path}/${at}`,
    ...content,
    headers: headers ?? {},
  }
}

const optional = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, { kind }]) => [name, { kind, required: false }]))
