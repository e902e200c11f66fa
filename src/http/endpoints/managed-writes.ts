import { managedOperation } from '../../model/managed/decide-managed.ts'
import type { DeclaredManagedOperation, ManagedIntent } from '../../model/managed/managed-operation.ts'
import type { Members, ValuesOf } from '../../values/members.ts'
import type { Answer } from '../contract/answer.ts'
import type { Group } from '../contract/description.ts'
import { type Call, type Endpoint, JSON_OR_FORM, type MediaType } from '../contract/endpoint.ts'
import { type Problem, refusalProblem } from '../contract/problems/problem.ts'
import type { ProblemCode } from '../contract/problems/problem-types.ts'
import type { Method } from '../contract/route.ts'
import type { ShownProblem } from '../contract/shown.ts'
import type { WriteSuccess } from '../contract/success.ts'
import { fromFields } from '../forms/parts/parameters.ts'
import { answerWrite, type WriteResult } from '../respond/answer-write.ts'
import { actorOf, readWritingWithoutKey } from '../write/intent.ts'

type ManagedProblem = { readonly problem: Problem }

/** The facts once nothing is wrong so far. */
interface Preparing<F, V> {
  readonly facts: F
  readonly values: V
  readonly dryRun: boolean
}

/** The prepared values for the store, and a secret that only the answer contains. */
export interface Prepared<P> {
  readonly prepared: P
  readonly secret?: string | undefined
}

/** The result of the operation, or of its dry run. */
interface ManagedResult<F, V, T> extends Preparing<F, V> {
  readonly thing: T
  readonly secret: string | undefined
}

/** The address of a managed operation, and its answer. */
export interface ManagedWrite<F, M extends Members, P, T> {
  readonly operation: DeclaredManagedOperation<F, M, P, T>
  /** Its own address, such as `DELETE /webhooks/:id`. */
  readonly at: `${Exclude<Method, 'GET' | 'QUERY'>} /${string}`
  /** The list that a page's form adds to, if that is another address. */
  readonly noun?: `/${string}`
  readonly role: NonNullable<Endpoint['role']>
  readonly group: Group
  readonly about?: string
  readonly success: WriteSuccess
  readonly refuses: readonly ProblemCode[]
  readonly target: (call: Call) => ManagedIntent['target'] | ManagedProblem
  /** The fields of a page's form as parameters. */
  readonly fields?: (fields: ReadonlyMap<string, string>, call: Call) => unknown
  /** Prepares what the operation needs from outside. */
  readonly prepare?: (preparing: Preparing<F, ValuesOf<M>>, call: Call) => Promise<Prepared<P> | ManagedProblem>
  readonly show: (
    done: ManagedResult<F, ValuesOf<M>, T>,
    call: Call,
  ) => Promise<Omit<WriteResult, 'dryRun'>> | Omit<WriteResult, 'dryRun'>
  /** Notifies others once it is done. */
  readonly afterwards?: (call: Call) => void
  /** The screen of a refused form. */
  readonly refused?: ShownProblem
}

const reads: { readonly [method: string]: readonly MediaType[] } = {
  POST: JSON_OR_FORM,
  PUT: ['application/json'],
  PATCH: ['application/merge-patch+json', 'application/json'],
  DELETE: ['application/json'],
}

/** The endpoints of an operation: at its own address and, for pages, in the list that its noun names. */
export function managedWrite<F, M extends Members, P, T>(write: ManagedWrite<F, M, P, T>): readonly Endpoint[] {
  const { operation, at, noun, role, group, about, success, refuses } = write
  const [method, path] = at.split(' ') as [Method, string]
  const hasMembers = operation.body !== undefined
  const shared = {
    role,
    offers: 'resource',
    parameters: ['dry-run'],
    describes: {
      group,
      ...(about !== undefined && { about }),
      ...(operation.body && { takes: operation.body.name }),
      answers: [success],
      refuses,
    },
    handle: (call: Call) => handle(write, call),
  } as const
  const own: Endpoint = {
    ...shared,
    method,
    path,
    summary: operation.title,
    ...((hasMembers || method === 'POST') && { reads: reads[method] }),
  }
  if (noun === undefined) return [own]
  return [
    own,
    { ...shared, method: 'POST', path: noun, summary: `${operation.title}, from a page`, reads: JSON_OR_FORM },
  ]
}

async function handle<F, M extends Members, P, T>(write: ManagedWrite<F, M, P, T>, call: Call): Promise<Answer> {
  const done = await perform(write, call)
  if (!('problem' in done)) return answerWrite(write.success, done, call)
  return write.refused === undefined ? done : { problem: { ...done.problem, shown: write.refused } }
}

/** Options → target → decision → preparation → decision and commit. */
async function perform<F, M extends Members, P, T>(
  { operation, target: targetIn, fields, prepare, afterwards, show }: ManagedWrite<F, M, P, T>,
  call: Call,
): Promise<WriteResult | ManagedProblem> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const target = targetIn(call)
  if (isRefused(target)) return target
  const { store } = call.service
  const { guard, dryRun } = asked
  const intent: ManagedIntent = {
    on: operation.on,
    operation: operation.name,
    target,
    params: paramsIn(
      managedOperation(call.schema, { on: operation.on, operation: operation.name }).params,
      fields,
      call,
    ),
    guard,
    dryRun,
    manager: managerOf(call),
    author: { ...actorOf(call), address: call.peer.address },
  }
  let outcome = await store.manage(intent)
  let secret: string | undefined
  if (outcome.kind === 'prepare') {
    const { facts, values } = outcome as unknown as Preparing<F, ValuesOf<M>>
    const made = await prepare?.({ facts, values, dryRun }, call)
    if (made === undefined) throw new Error(`nothing prepares to ${operation.name} a ${operation.on}`)
    if ('problem' in made) return made
    secret = made.secret
    outcome = await store.manage({ ...intent, prepared: made.prepared })
  }
  if (outcome.kind === 'refused') return { problem: refusalProblem(outcome.refusal) }
  if (!dryRun) afterwards?.(call)
  return {
    dryRun,
    ...(await show({ ...outcome, dryRun, secret } as unknown as ManagedResult<F, ValuesOf<M>, T>, call)),
  }
}

const isRefused = (target: ManagedIntent['target'] | ManagedProblem): target is ManagedProblem =>
  typeof target.problem === 'object'

/** The fields of a form without members are ignored. */
function paramsIn(members: Members, fields: ManagedWrite<unknown, Members, unknown, unknown>['fields'], call: Call) {
  if (call.fields === undefined) return call.body ?? {}
  if (Object.keys(members).length === 0) return {}
  return fields?.(call.fields, call) ?? fromFields(call.fields, members, call.reader)
}

export const managerOf = ({ actor, role, caller }: Call): ManagedIntent['manager'] => ({
  actor,
  role,
  key: caller?.key ?? null,
  user: caller?.user ?? null,
  by: caller?.by ?? null,
})
