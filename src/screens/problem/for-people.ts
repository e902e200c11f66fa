import type { ScreenRequest } from '../../http/contract/endpoint.ts'
import { boundedFaults, boundedTold } from '../../http/contract/problems/bounded-problem.ts'
import type { Problem } from '../../http/contract/problems/problem.ts'
import { type ProblemCode, type ProblemType, problemType } from '../../http/contract/problems/problem-types.ts'
import { detailOf } from '../../http/contract/problems/told-problem.ts'
import type { Screen } from '../parts/screen.ts'
import { problemPage } from './view.ts'

type Explanation = Pick<ProblemType, 'meaning' | 'remedy'>

/** Texts for people, where the usual ones refer to headers, members and credentials. */
const forPeople: { readonly [code: string]: Explanation } = {
  unauthorized: {
    meaning: 'Nothing is shown or changed before you are signed in.',
    remedy: 'Sign in with your name and password. If you have none, ask the operator of this service for an account.',
  },
  forbidden: {
    meaning: 'Nothing was changed.',
    remedy: 'Ask an administrator to do it, or to give you that role.',
  },
  'cross-site-request': {
    meaning: 'A page of another site made your browser send this, perhaps without you knowing. Nothing was changed.',
    remedy: 'If you meant to do it, do it on the pages of this service.',
  },
  'invalid-parameter': {
    meaning: 'The address asks for something that this page does not understand.',
    remedy: 'Go back and change the filter, or start from one of the pages below.',
  },
  'query-too-costly': {
    meaning: 'The search was stopped after two seconds.',
    remedy: 'Narrow it with another filter, such as a status, an owner or a range of dates.',
  },
  'saved-query-refused': {
    meaning: 'The saved view uses something that is no longer supported.',
    remedy: 'Change the saved view, or delete it.',
  },
  'invalid-body': {
    meaning: 'Something that was filled in is missing or not accepted. Nothing was stored.',
    remedy: 'Go back and correct it.',
  },
  'wrong-state': {
    meaning: 'Nothing was changed.',
    remedy: 'Look at its page, which shows what is possible now.',
  },
  'stale-revision': {
    meaning: 'Somebody else changed it after you had opened it. Nothing was overwritten.',
    remedy: 'Open it again, look at what changed, and repeat what you wanted to do.',
  },
  'batch-refused': {
    meaning: 'One of the changes is not possible, so none of them was made.',
    remedy: 'Correct the listed faults and try again.',
  },
  'idempotency-key-reused': {
    meaning: 'The form was sent before, with other content. Nothing was changed now.',
    remedy: 'Open the page and fill in the form again.',
  },
  'body-too-large': {
    meaning: 'More was sent at once than is allowed.',
    remedy: 'Send less at once.',
  },
  'too-many-requests': {
    meaning: 'There were too many requests in a short time.',
    remedy: 'Wait a moment and try again.',
  },
  unavailable: {
    meaning: 'The service cannot answer now. Nothing that it confirmed is lost.',
    remedy: 'Wait a moment and try again.',
  },
  'internal-error': {
    meaning: 'An unexpected error occurred. It was logged.',
    remedy: 'Try again. If it happens again, send the id of the request to the operator of this service.',
  },
  'not-found': {
    meaning: 'The address may be mistyped, or the page may have moved.',
    remedy: 'Start from one of the pages below.',
  },
  'deal-not-found': {
    meaning: 'The address may be mistyped, or the deal was deleted permanently.',
    remedy: 'Look for it in the list of deals.',
  },
  'customer-not-found': {
    meaning: 'The address may be mistyped, or the customer was deleted.',
    remedy: 'Look for it in the list of customers.',
  },
}

/** Problems whose usual texts are already for people. */
const plain: ReadonlySet<string> = new Set([
  ...['sign-in-refused', 'wrong-password', 'wrong-code', 'invitation-not-found', 'calendar-not-found'],
  ...['last-admin', 'name-taken', 'customer-in-use', 'webhook-ended', 'set-up-required'],
])

const missing: Explanation = {
  meaning: 'The address may be mistyped, or it was deleted.',
  remedy: 'Start from one of the pages below.',
}

const other: Explanation = {
  meaning: 'The request could not be carried out as it was sent. Nothing was changed.',
  remedy: 'Go back and try again. If it happens again, send the id of the request to the operator of this service.',
}

/** The meaning and the remedy of a problem, for people. */
export function explanationOf(code: ProblemCode): Explanation {
  if (plain.has(code)) return problemType(code)
  return forPeople[code] ?? (code.endsWith('-not-found') ? missing : other)
}

/** A problem, with the meaning of its type and a remedy. */
export const problemScreen =
  (problem: Problem, { request, service: { addresses } }: ScreenRequest): Screen =>
  () =>
    problemPage({
      ...problemType(problem.code),
      ...explanationOf(problem.code),
      detail: boundedTold(problem.plainly ?? problem.detail ?? detailOf(problem)),
      errors: boundedFaults(problem.errors ?? []),
      about: addresses.problem(problem.code),
      request: request.id,
      addresses,
    })
