import { tell } from '../../../languages/tell.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import { type FaultCode, KEPT } from '../../../values/faults/fault-codes.ts'
import { nearest } from '../../../values/faults/nearest.ts'
import type { Json } from '../../../values/json/json.ts'
import { NO_OBJECT } from '../../../values/members.ts'
import type { Addresses } from '../addresses.ts'
import { boundedFacts, boundedFaults, boundedText, joinSentences } from './bounded-problem.ts'
import type { Problem } from './problem.ts'
import { type ProblemCode, problemType } from './problem-types.ts'

// Problems become English sentences here; pages use the language of their reader.

/** The members that every problem has. */
export function problemMembers(problem: Problem, addresses: Addresses): { readonly [name: string]: Json } {
  const { code, extra } = problem
  const { status, title } = problemType(code)
  const errors = problem.errors && { errors: toldErrors(problem) }
  return { type: addresses.problem(code), title, status, detail: detailOf(problem), code, ...errors, ...extra }
}

/** The sentence of a problem. */
export function detailOf(problem: Problem): string {
  const { detail, errors = [] } = problem
  if (detail !== undefined) return boundedText(tell(detail))
  const sentences = sentencesOf(problem)
  const more = errors.reduce((sum, fault) => sum + (fault.more ?? 0), errors.length - sentences.length)
  return boundedText(joinSentences(sentences, more))
}

/** The end of a sentence about an unknown word. */
export function orNearest(word: string, known: Iterable<string>): string {
  const meant = nearest(word, known)
  return meant === undefined ? '.' : `, did you mean ${meant}?`
}

/** A fault for programs. A refusal that an earlier release stored has no code. */
export type ToldError = {
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
  readonly code?: string
  readonly with?: { readonly [fact: string]: Json }
  readonly detail: string
}

export const toldErrors = ({ errors = [] }: Problem): readonly ToldError[] =>
  boundedFaults(errors).map((fault) => {
    const { code, with: facts = {}, at } = fault
    const hasFacts = Object.keys(facts).length > 0
    const about = code === KEPT ? {} : { code, ...(hasFacts && { with: boundedFacts(facts) }) }
    return { ...at, ...about, detail: boundedText(tell(fault)) }
  })

/**
 * A sentence for each fault, the same in every form: it names the member, and `errors` has its position in the request.
 */
export const sentencesOf = ({ code, errors = [] }: Problem): readonly string[] =>
  boundedFaults(errors).map((fault) => boundedText(`${nameOf(fault, code)} ${tell(fault)}`))

/** The subject of a fault, with which its sentence begins. */
function nameOf({ code, with: facts, at }: Fault, problem: ProblemCode): string {
  const { header, parameter, pointer = '' } = at
  const named = header ?? parameter
  if (named !== undefined) return named
  if (pointer === '') return 'what was sent'
  // The members of a query that was sent as JSON are its parameters.
  if (problem === 'invalid-parameter') return pointer.slice(1).replace(/(?=\/)/, ' at ')
  const isNoObject = code === NO_OBJECT.code && facts?.wants === NO_OBJECT.with?.wants
  if ((isNoObject || ofAll.has(code)) && isWhole.test(pointer)) return 'what was sent'
  return ownName.exec(pointer)?.[0] ?? pointer
}

/**
 * The last member of a pointer with its place in a list, or with that of the item it belongs to. A part of a batch says
 * the same as alone.
 */
const ownName = /(?<=\/)(?:(?!(?:commands|requests|atomic:operations)\/)[^/]+(?:\/\d+)+\/)?[^/]+(?:\/\d+)*$/

/** The codes of faults that all parameters have together. */
const ofAll: ReadonlySet<string> = new Set<FaultCode>(['one-required', 'needs-operation'])

/** The pointer to one of the commands of a batch, or to the parameters of one. */
const isWhole = /^(?:\/commands)?\/\d+$|\/params$|\/data\/attributes$/
