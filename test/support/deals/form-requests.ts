import { randomUUID } from 'node:crypto'
import type { FormName } from '../../../src/http/forms/forms.ts'
import type { Params } from '../../../src/model/declaration/operation.ts'
import type { Operation } from '../../../src/model/declaration/schema.ts'
import { type Deal, deal as dealResource } from '../../../src/model/nouns/deal/deal.ts'
import type { Kind } from '../../../src/values/kinds/kind.ts'

/** One way of asking for an operation, as the contract's table of forms writes it. */
export interface FormRequest {
  readonly form: FormName
  readonly method: string
  readonly path: string
  /** The address with `:id`, `:command` and `:name` in their places. */
  readonly route: string
  readonly body: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly commandId?: string
  readonly reply: 'deal' | 'created' | 'entry' | 'command' | 'empty'
  /** Where a parameter's fault stands in the body that is sent. */
  pointer(inParams: string): string
}

const DEALS = '/rest/v1/deals'
const same = (pointer: string): string => pointer
const inParams = (pointer: string): string => `/params${pointer}`

/** Every request that asks for the operation with these parameters, whatever they are. */
export function requestsFor(operation: Operation, params: unknown, deal: string): readonly FormRequest[] {
  return operation.to === 'nothing' ? creations(operation, params) : onDeal(operation, params, deal)
}

function creations({ words: { action } }: Operation, params: unknown): readonly FormRequest[] {
  return [
    { ...posting, form: 'resource', path: `${DEALS}/`, route: DEALS, body: params, reply: 'created' },
    collected({ action, params }),
    { ...posting, form: 'command-endpoint', path: `/command/${action}/`, route: COMMAND, body: params, reply: 'empty' },
  ]
}

const COMMAND = '/command/:name'
const posting = { method: 'POST', pointer: same } as const
const putting = { method: 'PUT', pointer: same, reply: 'deal' } as const

function onDeal({ name, words }: Operation, params: unknown, deal: string): readonly FormRequest[] {
  const { participles, noun, action } = words
  const at = `${DEALS}/${deal}`
  const route = `${DEALS}/:id`
  const commandId = randomUUID()
  const withId = isPlainObject(params) ? { id: deal, ...params } : params
  return [
    { ...putting, form: 'verb', path: `${at}/${name}`, route: `${route}/${name}`, body: params },
    ...participles.map((word) => ({
      ...putting,
      form: 'participle' as const,
      path: `${at}/${word}`,
      route: `${route}/${word}`,
      body: params,
    })),
    ...[name, action].map((verb) => ({
      ...putting,
      ...{
        form: 'custom-method' as const,
        method: 'POST',
        path: `${at}:${verb}`,
        route: `${DEALS}/:target`,
        body: params,
      },
    })),
    { ...putting, form: 'single-update', path: at, route, body: { action, params }, pointer: inParams },
    { ...putting, form: 'single-update', path: at, route, body: { params, action: name }, pointer: inParams },
    { ...posting, form: 'noun', path: `${at}/${noun}`, route: `${route}/${noun}`, body: params, reply: 'entry' },
    {
      ...commanding,
      form: 'deal-command',
      path: `${at}/commands/${commandId}`,
      route: `${route}/commands/:command`,
      body: { action, params },
      commandId,
    },
    collected({ deal, action, params }),
    ...[`/command/${action}/`, `/command/${name}`].map((path) => ({
      ...posting,
      form: 'command-endpoint' as const,
      path,
      route: COMMAND,
      body: withId,
      reply: 'empty' as const,
    })),
    ...(name === 'delete' ? [deletion(at, params)] : []),
  ]
}

const commanding = { method: 'PUT', pointer: inParams, reply: 'command' } as const

function collected(body: unknown): FormRequest {
  const commandId = randomUUID()
  const path = `/rest/commands/${commandId}`
  return { ...commanding, form: 'command', path, route: '/rest/commands/:command', body, commandId }
}

function deletion(path: string, params: unknown): FormRequest {
  const body = isPlainObject(params) && Object.keys(params).length === 0 ? undefined : params
  return { ...putting, form: 'resource', method: 'DELETE', path, route: `${DEALS}/:id`, body }
}

/** The attributes that stand for an operation with these parameters, and the parameters they come to. */
export interface Attributes {
  readonly wanted: { readonly [field: string]: unknown }
  readonly params: Params
}

/** Attributes carry no reasons: such an operation is given the one that the contract names. */
export function attributesFor(operation: Operation, example: Params, made: Deal): Attributes | undefined {
  const { fromAttributes, sets = {}, params: members, changes } = operation
  if (fromAttributes === undefined) return undefined
  const params: Record<string, Params[string]> = {}
  for (const [name, value] of Object.entries(example)) {
    if (sets[name] !== undefined) params[name] = value
    else if (members[name]?.required) params[name] = 'attribute update'
    else return undefined
  }
  const carried = changes.filter((field) => field === 'held' || Object.values(sets).includes(field))
  const wanted = Object.fromEntries(
    carried.map((field) => [
      field,
      (dealResource.kinds[field as keyof Deal] as Kind<unknown>).write(made[field as keyof Deal]),
    ]),
  )
  return { wanted, params }
}

export function attributeUpdates(
  { sets = {} }: Operation,
  wanted: Attributes['wanted'],
  deal: string,
): readonly FormRequest[] {
  const pointer = (inParams: string): string => `/${sets[inParams.slice(1)] ?? inParams.slice(1)}`
  const path = `${DEALS}/${deal}`
  const update = { ...putting, form: 'attribute-update', path, route: `${DEALS}/:id`, body: wanted, pointer } as const
  return [
    update,
    { ...update, method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } },
    { ...update, method: 'PATCH' },
  ]
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
