import type { CustomerRefusal } from '../../model/customer/change.ts'
import type { DealRefusal } from '../../model/refusal.ts'
import type { WebhookRefusal } from '../../model/webhook/change.ts'
import type { Document } from '../../representations/document.ts'
import type { Json } from '../../values/kind.ts'
import { type Fault, MOST_FAULTS, NO_OBJECT } from '../../values/members.ts'
import type { Refusal } from '../../views/page-forms/refused-form.ts'
import type { View } from '../../views/parts/visit.ts'
import type { Addresses } from '../addresses.ts'
import type { Headers, Validators } from '../answer-head.ts'
import { boundedProblem, joinSentences, type ProblemError } from './bounded-problem.ts'
import { type ProblemCode, problemTypes } from './problem-types.ts'

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
  show: (refusal: Refusal) => Promise<View | undefined> | View | undefined,
): Promise<Problem> {
  const page = await show({ ...problem, title: problemTypes[problem.code].title })
  return page === undefined ? problem : { ...problem, page }
}

/** The members that every problem has. */
export function problemMembers(problem: Problem, addresses: Addresses): { readonly [name: string]: Json } {
  const { code, detail, errors, extra } = boundedProblem(problem)
  const { status, title } = problemTypes[code]
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

export const headerProblem = (header: string, detail: string): Problem => ({
  code: 'invalid-header',
  detail: `${header} ${detail}`,
  errors: [{ header, detail }],
})

export function refusalProblem(refusal: DealRefusal | CustomerRefusal | WebhookRefusal): Problem {
  switch (refusal.code) {
    case 'deal-not-found':
      return { code: refusal.code, detail: `There is no deal ${shown(refusal.deal)}.` }
    case 'deal-deleted':
      return {
        code: refusal.code,
        detail: `The deal ${refusal.deal} was deleted at ${refusal.deletedAt}.`,
        extra: { deletedAt: refusal.deletedAt },
      }
    case 'customer-not-found':
      return { code: refusal.code, detail: `There is no customer ${refusal.customer}.` }
    case 'webhook-not-found':
      return { code: refusal.code, detail: `There is no webhook ${shown(refusal.webhook)}.` }
    case 'customer-in-use':
      return { code: refusal.code, detail: `Customer ${refusal.customer} is named by at least one deal.` }
    case 'revision-required':
      return { code: refusal.code, detail: 'This change needs If-Match with the ETag that it is built on.' }
    case 'stale-revision': {
      const { current } = refusal
      const detail = `The current revision is ${current.revision}; the request was built on another.`
      return { code: refusal.code, detail, extra: { revision: current.revision }, current }
    }
    case 'precondition-failed': {
      const { header, current } = refusal
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
      const { operation, reason, deal, allowed } = refusal
      return {
        code: refusal.code,
        detail: `${operation} is not allowed: ${reason}.`,
        extra: { operation, deal, allowed },
      }
    }
    case 'command-id-reused':
      return { code: refusal.code, detail: `Command ${refusal.command} was decided before with other content.` }
    case 'idempotency-key-reused':
      return { code: refusal.code, detail: `The key ${refusal.command} was used before for another request.` }
  }
}

function invalidBody(faults: readonly Fault[]): Problem {
  const more = faults.slice(MOST_FAULTS).length + faults.reduce((sum, fault) => sum + (fault.more ?? 0), 0)
  const listed = faults.slice(0, MOST_FAULTS)
  return boundedProblem({
    code: 'invalid-body',
    detail: joinSentences(listed.map(sentence), more),
    errors: listed.map(({ pointer, detail }) => ({ pointer, detail })),
  })
}

/** The same detail in every form: it names the member, and `errors` has its place in the body that was sent. */
function sentence({ pointer, detail }: { pointer: string; detail: string }): string {
  if (detail === NO_OBJECT && (pointer === '' || pointer === '/params')) return `what was sent ${detail}`
  return `${pointer.slice(pointer.lastIndexOf('/') + 1)} ${detail}`
}

const shown = (id: string): string => JSON.stringify(id.length > 64 ? `${id.slice(0, 64)}…` : id)
