import type { Params } from '../../model/declaration/operation.ts'
import type { Operation, Resource, Schema } from '../../model/declaration/schema.ts'
import { operationsOnExisting } from '../../model/schema/resources.ts'
import { capitalized } from '../../values/kinds/text.ts'
import type { Description } from './description.ts'
import type { Call, MediaType } from './endpoint.ts'
import type { Problem } from './problems/problem.ts'
import type { Method } from './route.ts'
import type { Sample } from './sample.ts'
import type { Write } from './write.ts'

/** A form of request for an operation: its routes, how requests are read, and how they are answered. */
export interface Form<N extends string = string> {
  readonly name: N
  readonly title: string
  /** A sentence about it, for people. */
  readonly idea: string
  readonly routes: (schema: Schema) => readonly FormRoute[]
  /** Whether a body is in this form, if two forms share an address. */
  readonly recognizes?: (body: unknown) => boolean
  readonly read: (call: Call, route: FormRoute) => Write | { readonly problem: Problem }
  readonly reply: Reply
  /** The name of the body's schema, if the address names no operation. */
  readonly takes?: (resource: Resource, route: FormRoute) => string
  /** The last path parameter, if it is described separately. */
  readonly parameter?: (resource: Resource) => NonNullable<Description['parameter']>
  /** Distinguishes it in documents from another form with the same title. */
  readonly beside?: string
  /** The body for an operation; undefined if the form cannot express it. */
  readonly body: (sample: Sample) => Params | undefined
}

/** A request as a client could send it. */
export interface FormRequest {
  readonly method: Method
  readonly path: string
  /** Absent if the route reads none. */
  readonly body?: Params
}

/** The requests for an operation in this form, one for each route. */
export function requestsIn({ routes, body }: Form, sample: Sample): readonly FormRequest[] {
  const sent = body(sample)
  if (sent === undefined) return []
  return routes(sample.operation.on.schema)
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
  documentedPath
    .replace(':id', String(target))
    .replace(':command', command)
    .replace(':name', operation.words.action)
    .replace(':verb', operation.name)

export interface FormRoute {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly reads: readonly MediaType[]
  /** The path in documents, if it differs: with a slash at the end, or a verb in its last segment. */
  readonly documentedPath?: string
  /** Whether it answers at an address that its path matches, if the path is not specific enough. */
  readonly where?: (path: string) => boolean
  /** The resource that the address is about. */
  readonly resource?: Resource
  /** Whether the address has a unique value of the thing instead of its id: a PUT of attributes may create it. */
  readonly named?: true
  /** The operation that the address itself names. */
  readonly operation?: Operation
  /** The same for a route with many operations: the operation that an address names. */
  readonly operationAt?: (path: string) => Operation | undefined
}

/** The answer: the thing, the created thing, the entry in the noun's collection, the command, or no body. */
export type Reply = 'thing' | 'created' | 'entry' | 'command' | 'empty'

/** Whether a form supports the operations of a resource. */
export const hasForm = ({ forms }: Resource, form: string): boolean => forms === 'every' || forms.includes(form)

export const resourcesIn = ({ resources }: Schema, form: string): readonly Resource[] =>
  resources.filter((resource) => hasForm(resource, form))

/** The operations on existing things of a resource whose address has a form. */
export const operationsIn = (resource: Resource, form: string): readonly Operation[] =>
  operationsOnExisting(resource).filter(({ forms }) => forms === 'every' || hasForm(resource, form))

/** Whether a body may name an action where it may have attributes too. */
export const mayNameAction = (resource: Resource): boolean => hasForm(resource, 'single-update')

/** The pointers of a body that consists of the parameters. */
export const bare = { target: '/id', action: '', params: '' } as const

/** The name of the schema of a body about a resource. */
export const bodyName = ({ name }: Resource, what: string): string => capitalized(name) + what
