import type { FormName } from '../../model/event.ts'
import type { Operation, Params } from '../../model/operation.ts'
import type { Json } from '../../values/kind.ts'
import { DEALS } from '../forms/form.ts'

/** A request for an operation in one form, with an example of its parameters. */
export interface ShownRequest {
  readonly form: FormName
  readonly title: string
  readonly method: 'PUT' | 'POST' | 'DELETE'
  /** `{id}` and `{command_id}` are the client's to fill in. */
  readonly path: string
  readonly body?: { readonly [name: string]: Json }
  readonly success: string
}

/** The operation in every form that fits it. */
export function requestsFor(operation: Operation): readonly ShownRequest[] {
  const { name, words, examples, on } = operation
  const [params] = examples
  const { action, noun, participles } = words
  if (on === 'nothing') return creations(action, params)
  const deal = `${DEALS}/{id}`
  const changed = name === 'delete' ? '204' : '200, the deal'
  const attributes = attributesFor(operation)
  return [
    { form: 'verb', title: 'Verb segment', method: 'PUT', path: `${deal}/${name}`, body: params, success: changed },
    ...participles.map((word) => ({
      form: 'participle' as const,
      title: 'Past participle',
      method: 'PUT' as const,
      path: `${deal}/${word}`,
      body: params,
      success: changed,
    })),
    {
      form: 'single-update',
      title: 'Single update',
      method: 'PUT',
      path: deal,
      body: { action, params },
      success: changed,
    },
    ...(attributes === undefined
      ? []
      : ([
          {
            form: 'attribute-update',
            title: 'Attribute update',
            method: 'PUT',
            path: deal,
            body: attributes,
            success: changed,
          },
        ] as const)),
    {
      form: 'noun',
      title: 'Noun sub-collection',
      method: 'POST',
      path: `${deal}/${noun}`,
      body: params,
      success: '201, the entry',
    },
    {
      form: 'deal-command',
      title: 'Command in a deal',
      method: 'PUT',
      path: `${deal}/commands/{command_id}`,
      body: { action, params },
      success: '201, the command',
    },
    {
      form: 'command',
      title: 'Command collection',
      method: 'PUT',
      path: '/rest/commands/{command_id}',
      body: { deal: '{id}', action, params },
      success: '201, the command',
    },
    {
      form: 'command-endpoint',
      title: 'Command endpoint',
      method: 'POST',
      path: `/command/${action}/`,
      body: { id: '{id}', ...params },
      success: '200, no body',
    },
    ...(name === 'delete'
      ? ([{ form: 'resource', title: 'The deal itself', method: 'DELETE', path: deal, success: '204' }] as const)
      : []),
  ]
}

const creations = (action: string, params: Params): readonly ShownRequest[] => [
  {
    form: 'resource',
    title: 'The collection',
    method: 'POST',
    path: `${DEALS}/`,
    body: params,
    success: '201, the deal',
  },
  {
    form: 'command',
    title: 'Command collection',
    method: 'PUT',
    path: '/rest/commands/{command_id}',
    body: { action, params },
    success: '201, the command',
  },
  {
    form: 'command-endpoint',
    title: 'Command endpoint',
    method: 'POST',
    path: `/command/${action}/`,
    body: params,
    success: '200, no body',
  },
]

/** The attributes that stand for the operation; nothing where no attribute does. */
function attributesFor({ name, fromAttributes, sets = {}, examples: [params] }: Operation): Params | undefined {
  if (fromAttributes === undefined) return undefined
  const set = Object.entries(sets).flatMap(([param, field]) =>
    param in params ? [[field, params[param] ?? null]] : [],
  )
  const marking = name === 'hold' ? { held: true } : name === 'unhold' ? { held: false } : {}
  return { ...marking, ...Object.fromEntries(set) }
}
