import type { Problem } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { detailOf, sentencesOf, type ToldError, toldErrors } from '../../http/contract/problems/told-problem.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Json } from '../../values/json/json.ts'
import { nameAtStep } from '../../values/members.ts'
import type { DoorAnswer, Knocking } from '../door.ts'
import { jsonapi } from './documents.ts'
import { MEDIA_TYPE } from './media-type.ts'

/** A problem as a document of errors. `sent` is the document that pointers refer to. */
export const tellProblem = (problem: Problem, call: Knocking, sent?: unknown): DoorAnswer =>
  tellErrors(problemType(problem.code).status, errorsOf(problem, call, sent))

export const tellErrors = (status: number, errors: readonly Json[]): DoorAnswer => ({
  status,
  headers: { 'cache-control': 'no-store' },
  content: JSON.stringify({ jsonapi, errors }),
  contentType: MEDIA_TYPE,
})

/** One error object for each fault of a problem; `at` is the position of a refusal without faults. */
export function errorsOf(problem: Problem, call: Knocking, sent?: unknown, at?: string): readonly Json[] {
  const { code, extra } = problem
  const { status, title } = problemType(code)
  const page = call.service.addresses.problem(code)
  const common = { id: call.instance, links: { about: page, type: page }, status: String(status), code, title }
  const meta = extra === undefined ? {} : { meta: extra }
  const source = at === undefined ? sourceOf(problem, call) : { source: { pointer: at } }
  const errors = toldErrors(problem)
  if (errors.length === 0) return [{ ...common, detail: detailOf(problem), ...source, ...meta }]
  const sentences = sentencesOf(problem)
  return errors.map((error, at) => ({
    ...common,
    detail: sentences[at] ?? error.detail,
    source: placeOf(error, sent),
    ...metaOf(error, extra),
  }))
}

/** A stale precondition is a fault of its header. */
function sourceOf({ code }: Problem, { headers }: Knocking): { readonly source?: Json } {
  const isPrecondition = code === 'stale-revision' || code === 'precondition-failed'
  return isPrecondition && headers['if-match'] !== undefined ? { source: { header: 'If-Match' } } : {}
}

/** The code of the fault and its facts, in addition to the problem's own members. */
const metaOf = ({ code, with: facts }: ToldError, extra: Problem['extra']): { readonly meta?: Json } =>
  code === undefined && extra === undefined
    ? {}
    : { meta: { ...extra, ...(code !== undefined && { fault: { code, ...(facts && { with: facts }) } }) } }

function placeOf({ pointer, parameter, header }: ToldError, sent: unknown): Json {
  if (header !== undefined) return { header }
  return pointer === undefined ? { parameter: parameter ?? '' } : { pointer: existing(pointer, sent) }
}

/** A pointer must lead to something that was sent: a missing member is reported at its parent. */
function existing(pointer: string, sent: unknown): string {
  let at = sent
  let known = ''
  for (const part of pointer.split('/').slice(1)) {
    const name = nameAtStep(part)
    const isThere = (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, name)
    if (!isThere) return known
    at = (at as Readonly<Record<string, unknown>>)[name]
    known += `/${part}`
  }
  return known
}
