import type { ScreenRequest } from '../../../http/contract/endpoint.ts'
import type { Problem } from '../../../http/contract/problems/problem.ts'
import { showSignIn } from '../read.ts'
import { writeKept } from './kept-form.ts'

/** The answer to a form whose sender is no longer signed in: the sign-in page keeps it. */
export function keepForm(problem: Problem, { request, service }: ScreenRequest): Problem {
  const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const kept = writeKept(request.originalUrl, content)
  return { ...problem, screen: showSignIn(kept === undefined ? {} : { kept }, { service }) }
}
