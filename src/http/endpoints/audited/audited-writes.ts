import type { Operation } from '../../../model/declaration/schema.ts'
import type { Stored } from '../../../store/port/desk.ts'
import type { Preparation } from '../../../store/port/store.ts'
import type { Members } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Group } from '../../contract/description.ts'
import { type Call, type Endpoint, JSON_OR_FORM, type MediaType } from '../../contract/endpoint.ts'
import type { RefusedCall } from '../../contract/problems/problem.ts'
import type { ProblemCode } from '../../contract/problems/problem-types.ts'
import type { Method } from '../../contract/route.ts'
import type { ShownProblem } from '../../contract/shown.ts'
import type { WriteSuccess } from '../../contract/success.ts'
import type { Prepared, Write } from '../../contract/write.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { answerWrite, type WriteResult } from '../../respond/answer-write.ts'
import { readWritingWithoutKey } from '../../write/intent.ts'
import { appliedOf, write } from '../../write/write.ts'
import { neededRole } from '../things/writes.ts'

/** The thing that an address names, and its owner. */
export type Addressed = Pick<Write, 'target' | 'within'>

/** The thing that is written, or would be. */
export interface DoneHere {
  readonly thing: Stored
  readonly dryRun: boolean
  readonly secret: string | undefined
}

/** The addresses of an operation, and its answer. */
export interface AuditedWrite {
  readonly operation: Operation
  /** Its own address, such as `DELETE /webhooks/:id`. */
  readonly at: `${Exclude<Method, 'GET' | 'QUERY'>} /${string}`
  /** The list that a page's form adds to, if that is another address. */
  readonly noun?: `/${string}`
  /** Whether documents leave that address out: programs have the other one. */
  readonly isForPages?: boolean
  readonly group: Group
  readonly about?: string
  readonly success: WriteSuccess
  readonly refuses: readonly ProblemCode[]
  readonly addressed: (call: Call) => Addressed | RefusedCall
  /** The fields of a page's form as parameters. */
  readonly fields?: (fields: ReadonlyMap<string, string>, call: Call) => unknown
  /** Prepares what the operation needs from outside. */
  prepare?(preparation: Preparation & { readonly dryRun: boolean }, call: Call): Promise<Prepared | RefusedCall>
  show(done: DoneHere, call: Call): Promise<Omit<WriteResult, 'dryRun'>> | Omit<WriteResult, 'dryRun'>
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
export function auditedWrite(asked: AuditedWrite): readonly Endpoint[] {
  const { operation, at, noun, group, about, success, refuses } = asked
  const [method, path] = at.split(' ') as [Method, string]
  const hasMembers = operation.body !== undefined
  const shared = {
    role: neededRole({ operation }),
    offers: 'resource',
    parameters: ['dry-run'],
    describes: {
      group,
      ...(about !== undefined && { about }),
      ...(operation.body && { takes: operation.body.name }),
      answers: [success],
      refuses,
    },
    handle: (call: Call) => handle(asked, call),
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
    {
      ...shared,
      method: 'POST',
      path: noun,
      summary: `${operation.title}, from a page`,
      reads: JSON_OR_FORM,
      ...(asked.isForPages && { forPeople: true }),
    },
  ]
}

async function handle(asked: AuditedWrite, call: Call): Promise<Answer> {
  const done = await perform(asked, call)
  if (!('problem' in done)) return answerWrite(asked.success, done, call)
  return asked.refused === undefined ? done : { problem: { ...done.problem, shown: asked.refused } }
}

/** Written as in every form; these have no commands, so that no key names one. */
async function perform(asked: AuditedWrite, call: Call): Promise<WriteResult | RefusedCall> {
  const around = readWritingWithoutKey(call)
  if ('problem' in around) return around
  const addressed = asked.addressed(call)
  if ('problem' in addressed) return addressed
  const { on, name, params } = asked.operation
  const { dryRun } = around
  const { prepare } = asked
  const written = await write(
    {
      ...addressed,
      resource: on.name,
      change: { action: name, params: paramsIn(params, asked.fields, call) },
      address: call.peer.address,
      ...(prepare && { prepare: (preparation) => prepare({ ...preparation, dryRun }, call) }),
    },
    { ...call, around, form: 'address' },
  )
  if ('problem' in written) return written
  const applied = appliedOf(written, call)
  if ('problem' in applied) return applied
  if (!dryRun) asked.afterwards?.(call)
  const { outcome, secret } = applied
  return { dryRun, ...(await asked.show({ thing: outcome.thing, dryRun, secret }, call)) }
}

/** The fields of a form without members are ignored. */
function paramsIn(members: Members, fields: AuditedWrite['fields'], call: Call): unknown {
  if (call.fields === undefined) return call.body ?? {}
  if (Object.keys(members).length === 0) return {}
  return fields?.(call.fields, call) ?? fromFields(call.fields, members, call.reader)
}
