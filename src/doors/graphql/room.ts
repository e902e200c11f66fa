import { type ExecutionResult, GraphQLError } from 'graphql'
import { header } from '../../http/contract/endpoint.ts'
import type { Problem } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { namesType, preferredType } from '../../http/negotiate/accept.ts'
import { storeProblem } from '../../http/respond/problems/store-problem.ts'
import { inTurns } from '../../store/port/take-turns.ts'
import { isExactNumber } from '../../values/json/exact-numbers.ts'
import type { DoorAnswer, DoorCall, DoorResult, Knocking, OpenRoom } from '../door.ts'
import { JSON_TYPE } from '../kit/declaring.ts'
import { told } from '../kit/told.ts'
import { executeRequest } from './execute.ts'
import { readRequest } from './request.ts'

export const openRoom: OpenRoom = () => ({
  answer: answerGraphql,
  tell: (problem, call) => ({
    status: problemType(problem.code).status,
    content: JSON.stringify({ errors: [errorOf(problem, call)] }),
    contentType: `${typeFor(call) ?? JSON_TYPE}; charset=utf-8`,
  }),
})

const RESPONSE = 'application/graphql-response+json'

async function answerGraphql(call: DoorCall): Promise<DoorResult> {
  const type = typeFor(call)
  if (type === undefined) return { problem: notAcceptable }
  const read = readRequest(call)
  if ('problem' in read) return read
  const result = await executeRequest(read.request, call)
  if ('problem' in result) return result
  const contentType = `${type}; charset=utf-8`
  return { status: statusOf(result, asksForPlain(call)), ...writtenInSteps(written(result, call)), contentType }
}

/** GraphQL over HTTP: plain JSON unless the client names the other type; undefined if it accepts neither. */
function typeFor(call: Knocking): string | undefined {
  const accept = header(call, 'accept')
  return preferredType(accept, namesType(accept, RESPONSE) ? [RESPONSE, JSON_TYPE] : [JSON_TYPE, RESPONSE])
}

const notAcceptable: Problem = {
  code: 'not-acceptable',
  detail: 'GraphQL is answered as application/graphql-response+json or application/json.',
}

/** Whether the client names plain JSON and prefers it; one that names no type is shown plain JSON too. */
function asksForPlain(call: Knocking): boolean {
  return namesType(header(call, 'accept'), JSON_TYPE) && typeFor(call) === JSON_TYPE
}

/** GraphQL over HTTP: for clients of plain JSON, everything that was understood as a request is 200. */
function statusOf({ data, errors }: ExecutionResult, isPlain: boolean): number {
  if (isPlain || data !== undefined) return 200
  const problem = errors?.[0]?.extensions.problem as Problem | undefined
  return problem === undefined ? 400 : problemType(problem.code).status
}

const written = ({ data, errors }: ExecutionResult, call: DoorCall): object => ({
  ...(errors && { errors: errors.map((each) => shown(each, call)) }),
  ...(data !== undefined && { data }),
})

/** An error with its problem; one that is not a refusal is rethrown, as it is a defect. */
function shown(error: GraphQLError, call: DoorCall): object {
  const { locations, path, originalError } = error
  const place = { ...(locations && { locations }), ...(path && { path }) }
  if (originalError !== undefined && !(originalError instanceof GraphQLError)) {
    const problem = storeProblem(originalError, call.instance, call.service.log)
    if (problem === undefined) throw originalError
    return { ...errorOf(problem, call), ...place }
  }
  const problem = error.extensions.problem as Problem | undefined
  return { ...errorOf(problem ?? { code: 'invalid-document', detail: error.message }, call), ...place }
}

function errorOf(problem: Problem, call: Knocking): object {
  const { detail, members } = told(problem, call)
  return { message: detail, extensions: members }
}

/** The most characters of a text that is sent as a whole. */
const WHOLE = 2 ** 16

/** A value as JSON: a short text at once, a long one as it is written, so that other requests have their turn. */
export function writtenInSteps(value: object): Pick<DoorAnswer, 'content' | 'parts'> {
  const pieces = jsonPieces(value, DEPTH)
  let content = ''
  // Leaving a `for … of` would end the pieces.
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    content += next.value
    if (content.length > WHOLE) return { parts: inTurns(startingWith(content, pieces)) }
  }
  return { content }
}

function* startingWith(first: string, rest: Iterable<string>): Generator<string> {
  yield first
  yield* rest
}

/** The depth of lists in an answer: deeper ones are written with their items. */
const DEPTH = 5

function* jsonPieces(value: unknown, depth: number): Generator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null || isExactNumber(value)) yield JSON.stringify(value)
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield (at === 0 ? '[' : ',') + JSON.stringify(item)
    yield value.length === 0 ? '[]' : ']'
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}:`
      yield* jsonPieces(member, depth - 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}
