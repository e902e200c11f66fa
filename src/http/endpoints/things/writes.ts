import type { Operation, Resource, Schema } from '../../../model/declaration/schema.ts'
import { roleNeeded } from '../../../model/intent/caller.ts'
import { isGranted } from '../../../model/intent/grants.ts'
import { holdersOf, isDeletion, unnamedResource } from '../../../model/schema/resources.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import type { Role } from '../../../values/role.ts'
import type { Answer } from '../../contract/answer.ts'
import { type Description, type Group, paramsName } from '../../contract/description.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { type Form, type FormRoute, mayNameAction } from '../../contract/form.ts'
import { inUseCode, type ProblemCode } from '../../contract/problems/problem-types.ts'
import { forms } from '../../forms/forms.ts'
import { whereSent } from '../../forms/parts/addressed.ts'
import { asTyped, fieldsSent } from '../../forms/parts/parameters.ts'
import { replyTo, successesOf } from '../../respond/replies.ts'
import { readAround } from '../../write/intent.ts'
import { appliedOf, write } from '../../write/write.ts'
import { titleOf } from './find-thing.ts'
import { writeWithNew } from './write-with-new.ts'

/** The endpoints that change things: the forms, grouped by address. */
export const writes = (schema: Schema): readonly Endpoint[] =>
  [...groupByAddress(schema).values()].map((shared) => writeAt(shared, schema))

export function writeAt(shared: readonly [Shared, ...Shared[]], schema: Schema): Endpoint {
  const { form, route } = shared[0]
  const { operationAt } = route
  return {
    method: route.method,
    path: route.path,
    role: neededRole(route, route.operation),
    ...(isByGrants(route) && { byGrants: true }),
    ...(operationAt && { roleAt: (path) => neededRole(route, operationAt(path)) }),
    summary: route.summary,
    offers: 'resource',
    parameters: ['dry-run', ...inQuery(route)],
    reads: route.reads,
    ...(route.where && { where: route.where }),
    describes: { ...describeWrite(form, route, schema), forms: shared.map((each) => each.form.name) },
    handle: (call) => {
      const { form, route } = shared.find(({ form }) => form.recognizes?.(call.body) ?? true) ?? shared[0]
      return answer(form, route, call)
    },
  }
}

/** A DELETE has its parameters in the query, too. */
const inQuery = ({ method, operation }: FormRoute): readonly string[] =>
  method === 'DELETE' ? Object.keys(operation?.params ?? {}) : []

export function neededRole({ resource, ...route }: Partial<FormRoute>, operation = route.operation): Role {
  const on = operation?.on ?? resource
  return on === undefined ? 'editor' : roleNeeded(on, operation)
}

const isByGrants = ({ resource, operation }: FormRoute): boolean => {
  const on = operation?.on ?? resource
  return on !== undefined && isGranted(on)
}

/** A form at an address that several may share. */
export interface Shared {
  readonly form: Form
  readonly route: FormRoute
}

function groupByAddress(schema: Schema): Map<string, [Shared, ...Shared[]]> {
  const groups = new Map<string, [Shared, ...Shared[]]>()
  for (const form of forms) {
    for (const route of form.routes(schema)) {
      const address = `${route.method} ${route.path}`
      const group = groups.get(address)
      if (group === undefined) groups.set(address, [{ form, route }])
      else group.push({ form, route })
    }
  }
  return groups
}

export async function answer(form: Form, route: FormRoute, call: Call): Promise<Answer> {
  const around = readAround(call, call.parameters)
  if ('problem' in around) return around
  const read = form.read(call, route)
  if ('problem' in read) return read
  const asked = call.fields === undefined ? read : { ...read, sent: fieldsSent(call.fields, call) }
  const asking = { ...call, ...around, form: form.name }
  const { operation } = route
  const written =
    call.fields === undefined || operation === undefined
      ? await write(asked, asking)
      : await writeWithNew(asked, operation, { ...asking, fields: call.fields })
  if ('problem' in written) return written
  const applied = appliedOf(written, call)
  if (!('problem' in applied)) return replyTo(form.reply, applied, call)
  const { problem } = applied
  const { errors } = problem
  const placed = errors && operation && { errors: sentFaults(errors, call, operation) }
  return { problem: { ...problem, ...placed, shown: { screen: 'write', intent: written.intent, operation } } }
}

/** Faults at the places, and of the texts, that were sent. */
const sentFaults = (faults: readonly Fault[], call: Call, operation: Operation): readonly Fault[] =>
  call.fields === undefined ? whereSent(faults, call, operation) : asTyped(faults, call.fields, operation.params)

/** Describes a write for documents; forms that share an address answer alike. */
function describeWrite(form: Form, route: FormRoute, schema: Schema): Description {
  const { operation, resource = operation?.on } = route
  const of = resource ?? unnamedResource(schema)
  const takes = operation && route.reads.length > 0 ? paramsName(operation) : form.takes?.(of, route)
  return {
    group: groupOf(form, route),
    ...(operation && { operation: operation.name }),
    ...(form.beside && { form: form.beside }),
    ...(route.documentedPath && { path: route.documentedPath }),
    ...(takes !== undefined && { takes }),
    ...(form.parameter && { parameter: form.parameter(of) }),
    answers: (mayUpsert(route) ? upsertSuccesses(of) : successesOf(form.reply, of, operation)).filter(
      ({ status }) => status !== 202 || mayDelete(route),
    ),
    refuses: operation?.to === 'nothing' ? ['invalid-body', 'idempotency-key-reused'] : refusals(form, route, schema),
  }
}

/** Only a deletion is done later. */
const mayDelete = ({ method, operation }: FormRoute): boolean =>
  operation === undefined ? method === 'POST' : operation.removes === true

/** A PUT to the address of a unique value creates the thing if there is none. */
const mayUpsert = ({ named, method, path }: FormRoute): boolean =>
  named === true && method === 'PUT' && path.endsWith('/:value')

const upsertSuccesses = (resource: Resource) => [...successesOf('created', resource), ...successesOf('thing', resource)]

function groupOf({ name }: Form, { operation, resource = operation?.on }: FormRoute): Group {
  if (resource === undefined || name === 'deal-command') return 'Commands'
  const title = titleOf(resource)
  return name === 'resource' || operation === undefined || operation.group === title
    ? title
    : `${title}: ${operation.group}`
}

export function refusals({ reply, name }: Form, route: FormRoute, { resources }: Schema): readonly ProblemCode[] {
  const { operation, resource = operation?.on } = route
  const concerned = resource === undefined ? resources : [resource]
  const isEitherForm = name === 'single-update' || name === 'attribute-update'
  return [
    ...concerned.flatMap((each): ProblemCode[] => [
      `${each.name}-not-found`,
      ...(each.keepsDeleted ? [`${each.name}-deleted` as const] : []),
    ]),
    ...new Set(concerned.filter(isRefusedInUse(operation)).map(inUseCode)),
    'stale-revision',
    'revision-required',
    'invalid-body',
    'wrong-state',
    reply === 'command' ? 'command-id-reused' : 'idempotency-key-reused',
    ...(isEitherForm && concerned.every(mayNameAction) ? (['ambiguous-form'] as const) : []),
  ]
}

function isRefusedInUse(operation: Operation | undefined): (resource: Resource) => boolean {
  return (resource) => holdersOf(resource).length > 0 && (operation === undefined || isDeletion(operation))
}
