import type { Told } from '../../../languages/tell.ts'
import type { Query } from '../../../queries/query.ts'
import type { QueryString } from '../../../queries/query-string.ts'
import type { Document } from '../../../representations/document.ts'
import { type Fault, near, type Place, type Reason, reason } from '../../../values/faults/fault.ts'
import type { Json } from '../../../values/json/json.ts'
import { pointerTo } from '../../../values/json/pointer.ts'
import type { Role } from '../../../values/role.ts'
import type { Headers, Validators } from '../answer-head.ts'
import type { ShownProblem } from '../shown.ts'
import { quoted } from './bounded-problem.ts'
import type { ProblemCode } from './problem-types.ts'

/** RFC 9457: a problem, for programs and people. */
export interface Problem {
  readonly code: ProblemCode
  /** Absent if `errors` are the detail. */
  readonly detail?: Told
  readonly errors?: readonly Fault[]
  /** Members of this type of problem only. */
  readonly extra?: { readonly [name: string]: Json }
  readonly headers?: Headers
  /** The current state, if the precondition named another. */
  readonly current?: Validators
  /** Replaces `detail` on a page. */
  readonly plainly?: Told
  /** The screen instead of its usual page; created only for people. */
  readonly screen?: Document['screen']
  /** The screen that renders it. */
  readonly shown?: ShownProblem
}

/** A refused request. */
export interface RefusedCall {
  readonly problem: Problem
}

/** Faults in parameters, which form the detail. */
export const parameterProblem = (errors: readonly Fault[]): Problem => ({
  code: errors.every(({ code }) => code === 'cursor-outdated') ? 'cursor-outdated' : 'invalid-parameter',
  errors,
})

/** One parameter with a fault. */
export const wrongParameter = (parameter: string, why: Reason): Problem =>
  parameterProblem([{ ...why, at: { parameter } }])

/** The faults of a query. In JSON content, each is at its pointer; in an address or a form, at its parameter. */
export const faultsProblem = ({ sentIn, addressed }: QueryString, faults: readonly Fault[]): Problem =>
  parameterProblem(
    faults.map((fault) =>
      sentIn === 'json' && !addressed?.has(fault.at.parameter ?? '') ? inJson(fault) : inAddress(fault),
    ),
  )

function inJson({ at: { parameter = '', pointer = '' }, ...fault }: Fault): Fault {
  return { ...fault, at: { pointer: parameter === '' ? pointer : pointerTo(parameter) + pointer } }
}

function inAddress(fault: Fault): Fault {
  const {
    at: { parameter = '', pointer },
    code,
    with: facts,
  } = fault
  if (pointer === undefined) return fault
  return {
    ...reason('at-pointer', { ...(pointer !== '' && { pointer }), why: reason(code, facts) }),
    at: { parameter },
  }
}

/** The faults of a problem at positions that the client knows. */
export const placedAnew = (problem: Problem, place: (at: Place) => Place): Problem =>
  problem.errors === undefined
    ? problem
    : { ...problem, errors: problem.errors.map((fault) => ({ ...fault, at: place(fault.at) })) }

/** Why a page without items is refused. */
export const emptyList = ({ page, skip }: Query): Problem => ({
  code: 'empty-list',
  detail: page === 1 || skip === 0 ? 'Nothing matches.' : 'There is nothing on this page.',
})

export const headerProblem = (header: string, why: Reason): Problem => ({
  code: 'invalid-header',
  errors: [{ ...why, at: { header } }],
})

/** For a caller whose role does not suffice. */
export function forbidden(
  needed: Role,
  { actor, role }: { readonly actor: string | null; readonly role: string | null },
): Problem {
  const facts = { needed, actor, role }
  return {
    code: 'forbidden',
    detail: { text: 'This needs the role {needed}; {actor} has {role}.', with: facts },
    plainly: {
      text: 'You are signed in as {actor}, with the role {role}. This needs the role {needed}.',
      with: facts,
    },
  }
}

/** The parts without which there is no answer. */
export const parts = ['service', 'store', 'capacity'] as const

/** Something required is unavailable; the caller may try again after this many seconds. */
export const unavailable = (missing: (typeof parts)[number], reason: string, seconds: number): Problem => ({
  code: 'unavailable',
  detail: `${reason}.`,
  extra: { missing },
  headers: { 'retry-after': String(seconds) },
})

/** The caller has used up their own share; others are not affected. */
export const tooManyRequests = (reason: string, seconds: number): Problem => ({
  code: 'too-many-requests',
  detail: `${reason}.`,
  headers: { 'retry-after': String(seconds) },
})

/** For a body with faults, each at its pointer. */
export const invalidBody = (errors: readonly Fault[]): Problem => ({ code: 'invalid-body', errors })

/** One member with a fault. */
export const wrongMember = (pointer: string, why: Reason): Problem => invalidBody([{ ...why, at: { pointer } }])

/** No thing with that id or name, and the nearest one. */
export const noSuch = (resource: string, id: string, meant?: string): Told => ({
  text: meant === undefined ? 'There is no {resource} {id}.' : 'There is no {resource} {id}, did you mean {near}?',
  with: { resource, id: quoted(id), ...near(meant) },
})

/** A request exceeds the limits of an answer, or asks for what cannot be read; thrown where an answer is being made. */
export class BeyondBudget extends Error {
  override readonly name = 'BeyondBudget'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.code)
    this.problem = problem
  }
}
