import type { Operation, Params } from '../../model/operation.ts'
import type { Intent } from '../../model/perform/intent.ts'
import type { Key, Resource } from '../../model/resource.ts'
import { resources } from '../../model/resources.ts'
import type { Call, MediaType, Method } from '../endpoint.ts'
import type { Description } from '../openapi/description.ts'
import type { Problem } from '../respond/problems/problem.ts'

/** A way in which an operation can be asked for: where, how its parts are read, and how it is answered. */
export interface Form<N extends string = string> {
  readonly name: N
  readonly title: string
  /** What it is like to ask in it, for people. */
  readonly idea: string
  readonly routes: readonly FormRoute[]
  /** Where two forms share an address: whether the body is in this one. */
  readonly recognizes?: (body: unknown) => boolean
  readonly read: (call: Call, route: FormRoute) => FormIntent | { readonly problem: Problem }
  readonly reply: Reply
  /** The schema of the body, by its name, where that does not follow from an operation in the address. */
  readonly takes?: (resource: Resource, route: FormRoute) => string
  /** The last parameter of its path, where it is of a kind of its own. */
  readonly parameter?: Description['parameter']
  /** Tells it apart in documents from another form at an address with the same title. */
  readonly beside?: string
  /** The body that asks for an operation in this form; nothing where the form has no way to ask for it. */
  readonly body: (sample: Sample) => Params | undefined
}

/** An operation as a client could ask for it. */
export interface Sample {
  readonly operation: Operation
  readonly params: Params
  /** The id of the thing it is done to. */
  readonly target: Key
  /** The id of the command, in forms that have one. */
  readonly command: string
}

/** A request as a client could send it. */
export interface FormRequest {
  readonly method: Method
  readonly path: string
  /** Nothing where none is read. */
  readonly body?: Params
}

/** An operation as this form asks for it, once for each of its addresses. */
export function requestsIn({ routes, body }: Form, sample: Sample): readonly FormRequest[] {
  const sent = body(sample)
  if (sent === undefined) return []
  return routes
    .filter(
      ({ operation = sample.operation, resource = sample.operation.on }) =>
        operation === sample.operation && resource === sample.operation.on,
    )
    .map((route) => ({
      method: route.method,
      path: addressOf(route, sample),
      ...(route.reads.length > 0 && { body: sent }),
    }))
}

const addressOf = ({ path, documentedPath = path }: FormRoute, { operation, target, command }: Sample): string =>
  documentedPath.replace(':id', String(target)).replace(':command', command).replace(':name', operation.words.action)

export interface FormRoute {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly reads: readonly MediaType[]
  /** The path as documents write it, where it differs: with a slash at the end. */
  readonly documentedPath?: string
  /** The resource that the address is about. */
  readonly resource?: Resource
  /** The operation that the address itself names. */
  readonly operation?: Operation
}

/** The part of an intent that a form knows. */
export type FormIntent = Pick<
  Intent,
  'resource' | 'target' | 'change' | 'pointers' | 'faults' | 'faultsIfNew' | 'command'
>

/** What comes back: the thing, the created thing, the entry in the noun's collection, the command, or no body. */
export type Reply = 'thing' | 'created' | 'entry' | 'command' | 'empty'

/** The resources whose operations can be asked for in a form. */
export const resourcesIn = (form: string): readonly Resource[] =>
  resources.filter(({ forms }) => forms === 'every' || forms.includes(form))

/** Where the body is the parameters themselves. */
export const bare = { target: '/id', action: '', params: '' } as const

/** The name of the schema of a body about a resource. */
export const bodyName = ({ name }: Resource, what: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}${what}`
