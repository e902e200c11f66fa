import { concernOf } from '../../model/deal/concerns.ts'
import type { Intent } from '../../model/perform.ts'
import type { Guard } from '../../values/guard.ts'
import { showRefusedOperation } from '../../views/deal/read-refused.ts'
import type { Answer } from '../answer.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import type { Form, FormRoute } from '../forms/form.ts'
import { forms } from '../forms/forms.ts'
import { paramsName } from '../openapi/body-schemas.ts'
import type { Description, Group } from '../openapi/description.ts'
import { samplesFor } from '../reference/every-form.ts'
import { newIdProblem } from '../request/command-id.ts'
import { readWriting } from '../request/write-options.ts'
import { headerProblem, refusalProblem, withView } from '../respond/problem.ts'
import { replayed, replyTo, successes } from './deal-replies.ts'

/** Every way to change a deal: the forms, grouped by address. */
export const dealWrites: readonly Endpoint[] = [...groupByAddress()].map(([, shared]) => {
  const { form, route } = shared[0]
  return {
    method: route.method,
    path: route.path,
    role: 'editor',
    summary: route.summary,
    offers: 'resource',
    parameters: ['dry-run'],
    reads: route.reads,
    describes: describeWrite(form, route),
    handle: (call) => {
      const { form, route } = shared.find(({ form }) => form.recognizes?.(call.body) ?? true) ?? shared[0]
      return write(form, route, call)
    },
  }
})

interface Shared {
  readonly form: Form
  readonly route: FormRoute
}

function groupByAddress(): Map<string, [Shared, ...Shared[]]> {
  const groups = new Map<string, [Shared, ...Shared[]]>()
  for (const form of forms) {
    for (const route of form.routes) {
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
  const asked = form.read(call, route)
  if ('problem' in asked) return asked
  const { dryRun, key } = writing
  if (asked.command !== undefined && key !== undefined) {
    return { problem: headerProblem('Idempotency-Key', 'does not go with a command, which has an id of its own') }
  }
  const intent: Intent = {
    ...asked,
    ...guarding(asked.command, writing.guard),
    ...(key !== undefined && { command: { id: key, by: 'key' } }),
    actor: call.actor,
    form: form.name,
    dryRun,
  }
  const badId = intent.command && (await newIdProblem(intent.command, call.service.store))
  if (badId !== undefined) return { problem: badId }
  const outcome = await call.service.store.perform(intent)
  if (outcome.kind === 'refused') {
    const problem = await withView(refusalProblem(outcome.refusal), (refusal) =>
      showRefusedOperation(refusal, route.operation, call, samplesFor(call)),
    )
    return { problem: { ...problem, headers: { ...problem.headers, ...replayed(outcome) } } }
  }
  return replyTo(form.reply, outcome, intent, call)
}

/** At a command's own address If-None-Match speaks of the command; everything else speaks of the deal. */
function guarding(command: Intent['command'], guard: Guard): Pick<Intent, 'guard' | 'command'> {
  const { noneOf, ...rest } = guard
  return command === undefined || noneOf === undefined ? { guard } : { guard: rest, command: { ...command, noneOf } }
}

/** What documents say of a write to a deal; where several forms share the address, they answer alike. */
function describeWrite(form: Form, route: FormRoute): Description {
  const takes = route.operation && route.reads.length > 0 ? paramsName(route.operation) : form.takes
  return {
    group: groupOf(form, route),
    ...(route.operation && { operation: route.operation.name }),
    ...(form.beside && { form: form.beside }),
    ...(route.documentedPath && { path: route.documentedPath }),
    ...(takes !== undefined && { takes }),
    ...(form.parameter && { parameter: form.parameter }),
    answers: successes[form.reply],
    refuses: route.operation?.on === 'nothing' ? ['invalid-body', 'idempotency-key-reused'] : refusals(form),
  }
}

function groupOf({ name }: Form, { operation }: FormRoute): Group {
  const concern = operation && concernOf(operation.name)
  if (name === 'deal-command' || name === 'command' || name === 'command-endpoint') return 'Commands'
  return name === 'resource' || concern === undefined ? 'Deals' : `Deals: ${concern}`
}

function refusals({ reply, name }: Form): NonNullable<Description['refuses']> {
  return [
    'deal-not-found',
    'deal-deleted',
    'stale-revision',
    'revision-required',
    'invalid-body',
    'wrong-state',
    reply === 'command' ? 'command-id-reused' : 'idempotency-key-reused',
    ...(name === 'single-update' ? (['ambiguous-form'] as const) : []),
  ]
}
