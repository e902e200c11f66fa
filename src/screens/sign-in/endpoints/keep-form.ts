import type { ScreenRequest } from '../../../http/contract/endpoint.ts'
import type { Problem } from '../../../http/contract/problems/problem.ts'
import { showSignIn } from '../read.ts'
import { writeKept } from './kept-form.ts'

/** The answer to a form whose sender is no longer signed in: the sign-in page keeps it. */
export function keepForm(problem: Problem, { request, service }: ScreenRequest): Problem {
  const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const kept = writeKept(request.originalUrl, content)
  const name = service.cookie.user(request.headers.cookie)
  const entered = { ...(kept !== undefined && { kept }), ...(name !== undefined && { name }) }
  return { ...problem, screen: showSignIn(entered, { service }) }
}
