import type { Intent } from '../../../model/perform/intent.ts'
import { holdersOf, unnamedResource } from '../../../model/resources.ts'
import type { Operation, Resource, Schema } from '../../../model/schema.ts'
import { withView } from '../../../screens/page-forms/with-view.ts'
import { reason } from '../../../values/faults/fault.ts'
import type { Guard } from '../../../values/guard.ts'
import type { Role } from '../../../values/role.ts'
import { type AskedWrite, roleFor } from '../../ask/ask.ts'
import type { Answer } from '../../contract/answer.ts'
import { type Description, type Group, paramsName } from '../../contract/description.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { type Form, type FormRoute, mayNameAction } from '../../contract/form.ts'
import { headerProblem, thingProblem } from '../../contract/problems/problem.ts'
import type { ProblemCode } from '../../contract/problems/problem-types.ts'
import { forms } from '../../forms/forms.ts'
import { readWriting } from '../../request/write-options.ts'
import { replayed, replyTo, successesOf } from '../../respond/replies.ts'
import { askWithNew } from './ask-with-new.ts'
import { titleOf } from './find-thing.ts'
import { showRefusedWrite } from './thing-views.ts'

/** The endpoints that change things: the forms, grouped by address. */
export const writes = (schema: Schema): readonly Endpoint[] =>
  [...groupByAddress(schema).values()].map((shared) => writeAt(shared, schema))

function writeAt(shared: readonly [Shared, ...Shared[]], schema: Schema): Endpoint {
  const { form, route } = shared[0]
  const { operationAt } = route
  return {
    method: route.method,
    path: route.path,
    role: neededRole(route, route.operation),
    ...(operationAt && { roleAt: (path) => neededRole(route, operationAt(path)) }),
    summary: route.summary,
    offers: 'resource',
    parameters: ['dry-run'],
    reads: route.reads,
    ...(route.where && { where: route.where }),
    describes: describeWrite(form, route, schema),
    handle: (call) => {
      const { form, route } = shared.find(({ form }) => form.recognizes?.(call.body) ?? true) ?? shared[0]
      return write(form, route, call)
    },
  }
}

function neededRole({ resource }: FormRoute, operation: Operation | undefined): Role {
  return operation === undefined ? (resource?.roles.writes ?? 'editor') : roleFor(operation)
}

interface Shared {
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

async function write(form: Form, route: FormRoute, call: Call): Promise<Answer> {
  const writing = readWriting(call)
  if ('problem' in writing) return writing
  const read = form.read(call, route)
  if ('problem' in read) return read
  const { dryRun, key } = writing
  if (read.command !== undefined && key !== undefined) {
    return { problem: headerProblem('Idempotency-Key', reason('meaningless', { wants: 'own-id' })) }
  }
  const asked: AskedWrite = {
    ...read,
    ...guarding(read.command, writing.guard),
    ...(key !== undefined && { command: { id: key, by: 'key' } }),
    form: form.name,
    dryRun,
  }
  const told = await askWithNew(asked, route.operation, call)
  if ('problem' in told) return told
  const { intent, outcome } = told
  if (outcome.kind === 'refused') {
    const problem = await withView(thingProblem(outcome.refusal, call.schema), (refusal) =>
      showRefusedWrite(refusal, intent, route.operation, call),
    )
    return { problem: { ...problem, headers: { ...problem.headers, ...replayed(outcome) } } }
  }
  return replyTo(form.reply, outcome, intent, call)
}

/** At a command's own address, If-None-Match is about the command; all other preconditions are about the thing. */
function guarding(command: Intent['command'], guard: Guard): Pick<Intent, 'guard' | 'command'> {
  const { noneOf, ...rest } = guard
  return command === undefined || noneOf === undefined ? { guard } : { guard: rest, command: { ...command, noneOf } }
}

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
    answers: successesOf(form.reply, of, operation),
    refuses: operation?.to === 'nothing' ? ['invalid-body', 'idempotency-key-reused'] : refusals(form, route, schema),
  }
}

function groupOf({ name }: Form, { operation, resource = operation?.on }: FormRoute): Group {
  if (resource === undefined || name === 'deal-command') return 'Commands'
  const title = titleOf(resource)
  return name === 'resource' || operation === undefined || operation.group === title
    ? title
    : `${title}: ${operation.group}`
}

function refusals({ reply, name }: Form, route: FormRoute, { resources }: Schema): readonly ProblemCode[] {
  const { operation, resource = operation?.on } = route
  const concerned = resource === undefined ? resources : [resource]
  const isEitherForm = name === 'single-update' || name === 'attribute-update'
  return [
    ...concerned.flatMap((each): ProblemCode[] => [
      `${each.name}-not-found`,
      ...(each.keepsDeleted ? [`${each.name}-deleted` as const] : []),
    ]),
    ...concerned.filter(isRefusedInUse(operation)).map((each) => `${each.name}-in-use` as const),
    'stale-revision',
    'revision-required',
    'invalid-body',
    'wrong-state',
    reply === 'command' ? 'command-id-reused' : 'idempotency-key-reused',
    ...(isEitherForm && concerned.every(mayNameAction) ? (['ambiguous-form'] as const) : []),
  ]
}

function isRefusedInUse(operation: Operation | undefined): (resource: Resource) => boolean {
  return (resource) => holdersOf(resource).length > 0 && (operation === undefined || operation.removes === true)
}
