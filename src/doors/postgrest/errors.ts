import type { Headers } from '../../http/contract/answer.ts'
import type { Problem } from '../../http/contract/problems/problem.ts'
import type { ProblemCode } from '../../http/contract/problems/problem-types.ts'
import { type ToldError, toldErrors } from '../../http/contract/problems/told-problem.ts'
import type { DoorAnswer, Knocking } from '../door.ts'
import { told } from '../kit/told.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

interface PostgrestError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: string | null
  readonly hint?: string | null
  readonly headers?: Headers
}

/** An error that only this protocol has. */
export const refused = ({
  status,
  headers,
  code,
  message,
  details = null,
  hint = null,
}: PostgrestError): DoorAnswer => ({
  status,
  ...(headers && { headers }),
  content: JSON.stringify({ code, message, details, hint }),
  contentType: JSON_TYPE,
})

/** Any problem as an error, which contains the problem in addition to its own members. */
export function tellProblem(problem: Problem, call: Knocking): DoorAnswer {
  const { status, title, detail, members } = told(problem, call)
  const error = {
    code: codeOf(problem.code, call.path),
    message: detail,
    details: problem.errors === undefined ? title : toldErrors(problem).map(faultText).join('; '),
    hint: `See ${members.type}`,
    problem: members,
  }
  return { status, content: JSON.stringify(error), contentType: JSON_TYPE }
}

const faultText = ({ pointer, parameter, header, detail }: ToldError): string =>
  [pointer, parameter, header, detail].filter((each) => each !== undefined).join(' ')

/** PostgREST and SQL have codes for some problems; the others have their own. */
function codeOf(code: ProblemCode, path: string): string {
  if (code === 'not-found') return /\/rpc\//.test(path) ? 'PGRST202' : 'PGRST205'
  return codes[code] ?? code
}

const codes: { readonly [C in ProblemCode]?: string } = {
  'invalid-parameter': 'PGRST100',
  'malformed-body': 'PGRST102',
  unauthorized: 'PGRST302',
  forbidden: '42501',
  'method-not-allowed': 'PGRST117',
  'not-acceptable': 'PGRST107',
  'unsupported-media-type': 'PGRST107',
}
