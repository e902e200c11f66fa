import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Problem } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { detailOf, problemMembers } from '../../http/contract/problems/told-problem.ts'
import { acceptanceOf, parseAccept } from '../../http/negotiate/accept.ts'
import { storeProblem } from '../../http/respond/problems/store-problem.ts'
import type { DoorAnswer, DoorCall, Knocking, OpenRoom } from '../door.ts'
import { executeRequest } from './execute.ts'
import { readRequest } from './request.ts'
import { writtenInSteps } from './written-in-steps.ts'

export const openRoom: OpenRoom = () => ({
  answer: answerGraphql,
  tell: (problem, call) => ({
    status: problemType(problem.code).status,
    content: JSON.stringify({ errors: [told(problem, call)] }),
    contentType: typeFor(call) ?? RESPONSE,
  }),
})

const RESPONSE = 'application/graphql-response+json; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

async function answerGraphql(call: DoorCall): Promise<DoorAnswer | { readonly problem: Problem }> {
  const contentType = typeFor(call)
  if (contentType === undefined) return { problem: notAcceptable }
  const read = readRequest(call)
  if ('problem' in read) return read
  const result = await executeRequest(read.request, call)
  if ('problem' in result) return result
  return { status: statusOf(result, contentType), ...writtenInSteps(written(result, call)), contentType }
}

/** GraphQL over HTTP: its own type unless the client prefers plain JSON; undefined if it accepts neither. */
function typeFor({ headers: { accept } }: Knocking): string | undefined {
  const header = Array.isArray(accept) ? accept.join() : accept
  if (header === undefined || header.trim() === '') return RESPONSE
  const ranges = parseAccept(header)
  const [own, plain] = ['application/graphql-response+json', 'application/json'].map(
    (type) => acceptanceOf(type, ranges)?.weight ?? 0,
  ) as [number, number]
  if (own === 0 && plain === 0) return undefined
  return plain > own ? JSON_TYPE : RESPONSE
}

const notAcceptable: Problem = {
  code: 'not-acceptable',
  detail: 'GraphQL is answered as application/graphql-response+json or application/json.',
}

/** GraphQL over HTTP: in plain JSON, whatever was understood as a request is 200. */
function statusOf({ data, errors }: ExecutionResult, contentType: string): number {
  if (contentType === JSON_TYPE || data !== undefined) return 200
  const problem = errors?.[0]?.extensions.problem as Problem | undefined
  return problem === undefined ? 400 : problemType(problem.code).status
}

const written = ({ data, errors }: ExecutionResult, call: DoorCall): object => ({
  ...(errors && { errors: errors.map((each) => shown(each, call)) }),
  ...(data !== undefined && { data }),
})

/** An error with its problem; one that is no refusal is thrown on, as it is a defect. */
function shown(error: GraphQLError, call: DoorCall): object {
  const { locations, path, originalError } = error
  const place = { ...(locations && { locations }), ...(path && { path }) }
  if (originalError !== undefined && !(originalError instanceof GraphQLError)) {
    const problem = storeProblem(originalError, call.instance, call.service.log)
    if (problem === undefined) throw originalError
    return { ...told(problem, call), ...place }
  }
  const problem = error.extensions.problem as Problem | undefined
  return { ...told(problem ?? { code: 'invalid-document', detail: error.message }, call), ...place }
}

function told(problem: Problem, { service, instance }: Knocking): object {
  return { message: detailOf(problem), extensions: { ...problemMembers(problem, service.addresses), instance } }
}
