import type { Refusal } from '../../../model/refusal.ts'
import { holdersOf, resourceNamed } from '../../../model/resources.ts'
import type { UserRefusal } from '../../../model/user/change.ts'
import type { WebhookRefusal } from '../../../model/webhook/change.ts'
import type { Query } from '../../../queries/query.ts'
import type { ParameterFault, QueryString } from '../../../queries/query-string.ts'
import type { Document } from '../../../representations/document.ts'
import type { Json } from '../../../values/kinds/kind.ts'
import { capitalized } from '../../../values/kinds/text.ts'
import { type Fault, MOST_FAULTS, NO_OBJECT, pointerTo } from '../../../values/members.ts'
import type { Role } from '../../../values/role.ts'
import type { FormRefusal } from '../../../views/page-forms/refused-form.ts'
import type { View } from '../../../views/parts/visit.ts'
import type { Addresses } from '../../addresses.ts'
import type { Headers, Validators } from '../../answer-head.ts'
import { boundedProblem, joinSentences, type ProblemError } from './bounded-problem.ts'
import { type ProblemCode, problemType } from './problem-types.ts'

/** RFC 9457: a problem, for programs and people. */
export interface Problem {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: readonly ProblemError[]
  /** Members of this type of problem only. */
  readonly extra?: { readonly [name: string]: Json }
  readonly headers?: Headers
  /** The current state, if the precondition named another. */
  readonly current?: Validators
  /** Replaces `detail` on a page. */
  readonly plainly?: string
  /** The view; rendered only for a page. */
  readonly page?: Document['page']
}

/** A problem with what a person sees instead of its usual page; `show` answers nothing where it has nothing better. */
export async function withView(
  problem: Problem,
  show: (refusal: FormRefusal) => Promise<View | undefined> | View | undefined,
): Promise<Problem> {
  const page = await show({ ...problem, title: problemType(problem.code).title })
  return page === undefined ? problem : { ...problem, page }
}

/** The members that every problem has. */
export function problemMembers(problem: Problem, addresses: Addresses): { readonly [name: string]: Json } {
  const { code, detail, errors, extra } = boundedProblem(problem)
  const { status, title } = problemType(code)
  return { type: addresses.problem(code), title, status, detail, code, ...(errors && { errors }), ...extra }
}

export const parameterProblem = (errors: readonly { parameter: string; detail: string }[]): Problem => ({
  code: 'invalid-parameter',
  detail: joinSentences(
    errors.map(({ parameter, detail }) => `${parameter} ${detail}`),
    0,
  ),
  errors,
})

/** The faults of a query. In JSON content, each is at its pointer; in an address or a form, at its parameter. */
export function faultsProblem({ sentIn, addressed }: QueryString, faults: readonly ParameterFault[]): Problem {
  const told = faults.map((fault) =>
    sentIn === 'json' && !addressed?.has(fault.parameter) ? toldOfJson(fault) : toldOfAddress(fault),
  )
  return { ...parameterProblem(told.map(({ named }) => named)), errors: told.map(({ error }) => error) }
}

const toldOfJson = ({ parameter, pointer = '', detail }: ParameterFault) => ({
  named: { parameter: parameter || 'what was sent', detail: pointer === '' ? detail : `at ${pointer} ${detail}` },
  error: { pointer: parameter === '' ? pointer : pointerTo(parameter) + pointer, detail },
})

function toldOfAddress({ parameter, pointer, detail }: ParameterFault) {
  const named = { parameter, detail: pointer === undefined ? detail : `at ${pointer || 'its start'} ${detail}` }
  return { named, error: named }
}

/** Why a page without items is refused. */
export const emptyList = ({ page, skip }: Query): Problem => ({
  code: 'empty-list',
  detail: page === 1 || skip === 0 ? 'Nothing matches.' : 'There is nothing on this page.',
})

export const headerProblem = (header: string, detail: string): Problem => ({
  code: 'invalid-header',
  detail: `${header} ${detail}`,
  errors: [{ header, detail }],
})

/** For a caller whose role is not enough. */
export const forbidden = (
  needed: Role,
  { actor, role }: { readonly actor: string | null; readonly role: Role | null },
): Problem => ({
  code: 'forbidden',
  detail: `This needs the role ${needed}; ${actor} has ${role}.`,
  plainly: `You are signed in as ${actor}, with the role ${role}. This needs the role ${needed}.`,
})

/** The parts without which there is no answer. */
export const parts = ['service', 'store', 'capacity'] as const

/** Something is missing for an answer; the caller may try again after so many seconds. */
export const unavailable = (missing: (typeof parts)[number], reason: string, seconds: number): Problem => ({
  code: 'unavailable',
  detail: `${reason}.`,
  extra: { missing },
  headers: { 'retry-after': String(seconds) },
})

export function refusalProblem(refusal: Refusal | WebhookRefusal | UserRefusal): Problem {
  switch (refusal.code) {
    case 'not-found':
      return { code: `${refusal.resource}-not-found`, detail: `There is no ${refusal.resource} ${shownId(refusal)}.` }
    case 'deleted':
      return {
        code: `${refusal.resource}-deleted`,
        detail: `The ${refusal.resource} ${refusal.id} was deleted at ${refusal.deletedAt}.`,
        extra: { deletedAt: refusal.deletedAt },
      }
    case 'not-owner':
      return {
        code: 'forbidden',
        detail: `The ${refusal.resource} ${refusal.id} belongs to someone else: only its owner and admins may change it.`,
      }
    case 'webhook-not-found':
      return { code: refusal.code, detail: `There is no webhook ${shown(refusal.webhook)}.` }
    case 'user-not-found':
      return { code: refusal.code, detail: `There is no user ${shown(refusal.user)}.` }
    case 'last-admin':
      return { code: refusal.code, detail: `${refusal.user} is the last admin who can sign in.` }
    case 'in-use':
      return { code: `${refusal.resource}-in-use`, detail: inUse(refusal) }
    case 'revision-required':
      return { code: refusal.code, detail: 'This change needs If-Match with the ETag that it is built on.' }
    case 'stale-revision': {
      const { current } = refusal
      const detail = `The current revision is ${current.revision}; the request was built on another.`
      const plainly = 'Nothing was changed: it was changed after the form was shown.'
      return { code: refusal.code, detail, plainly, extra: { revision: current.revision }, current }
    }
    case 'precondition-failed': {
      const { header = 'The request', current } = refusal
      const why = current === undefined ? 'names a state of something that has none' : 'excludes what is there'
      const detail = `${header} ${why}.`
      return { code: refusal.code, detail, ...(current && { current }) }
    }
    case 'invalid':
      return invalidBody(refusal.faults)
    case 'unknown-action': {
      const { pointer, detail } = refusal
      return { code: refusal.code, detail, errors: [{ pointer, detail }] }
    }
    case 'wrong-state': {
      const { operation, reason, resource, thing, allowed } = refusal
      return {
        code: refusal.code,
        detail: `${operation} is not allowed: ${reason}.`,
        extra: { operation, [resource]: thing, allowed },
      }
    }
    case 'command-id-reused':
      return { code: refusal.code, detail: `Command ${refusal.command} was decided before with other content.` }
    case 'idempotency-key-reused':
      return { code: refusal.code, detail: `The key ${refusal.command} was used before for another request.` }
  }
}

/** For a body with faults, each at its pointer. */
export function invalidBody(faults: readonly Fault[]): Problem {
  const more = faults.slice(MOST_FAULTS).length + faults.reduce((sum, fault) => sum + (fault.more ?? 0), 0)
  const listed = faults.slice(0, MOST_FAULTS)
  // A sound body whose query its collection would refuse is refused as the collection does.
  const isQuery = faults.length > 0 && faults.every(({ parameter }) => parameter !== undefined)
  return boundedProblem({
    code: isQuery ? 'invalid-parameter' : 'invalid-body',
    detail: joinSentences(listed.map(sentence), more),
    errors: listed.map(({ pointer, parameter, detail }) => ({
      pointer,
      ...(parameter !== undefined && { parameter }),
      detail,
    })),
  })
}

/** The same detail in every form: it names the member, and `errors` has its place in the body that was sent. */
function sentence({ pointer, parameter, detail }: Fault): string {
  if (parameter !== undefined) return `${parameter} ${detail}`
  if (detail === NO_OBJECT && isWhole.test(pointer)) return `what was sent ${detail}`
  return `${pointer.slice(pointer.lastIndexOf('/') + 1)} ${detail}`
}

/** The pointer to a body, to one of the commands of a batch, or to the parameters in either. */
const isWhole = /^$|\/\d+$|\/params$/

/** A number stands as it is, whatever else was sent in quotes. */
const shownId = ({ resource, id }: { readonly resource: string; readonly id: string }): string =>
  resourceNamed(resource).kinds.id?.name === 'integer' && /^\d+$/.test(id) ? id : shown(id)

function inUse({ resource, id }: { readonly resource: string; readonly id: string | number }): string {
  const by = holdersOf({ name: resource }).map(({ from }) => from.name)
  return `${capitalized(resource)} ${id} is named by at least one ${by.join(' or ')}.`
}

const shown = (id: string): string => JSON.stringify(id.length > 64 ? `${id.slice(0, 64)}…` : id)

/** A request asks for more than an answer may hold; it is thrown from wherever that is found. */
export class BeyondBudget extends Error {
  override readonly name = 'BeyondBudget'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}
