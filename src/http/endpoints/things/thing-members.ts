import type { Collection } from '../../../queries/collection.ts'
import type { ShownMembers } from '../../../queries/members/expansion.ts'
import { parseQuery } from '../../../queries/parse/parse-query.ts'
import { spellingsOf } from '../../../queries/settings.ts'
import { project } from '../../../representations/project.ts'
import { reason } from '../../../values/faults/fault.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Description } from '../../contract/description.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { type Problem, parameterProblem, wrongParameter } from '../../contract/problems/problem.ts'
import { chosenMembers } from '../../contract/success.ts'
import { pastNames } from './past-reads.ts'

/** The parameters that choose the members of an item, in every spelling. */
export const memberNamesOf = ({ relations }: Collection): readonly string[] => [
  ...(relations.size === 0 ? spellingsOf('fields') : spellingsOf('fields', 'expand')),
]

interface SingleRead extends Endpoint {
  readonly describes: Description
  readonly handle: (call: Call) => Promise<Answer>
}

/** The endpoint of an item of a collection, which shows the members that `fields` chooses. */
export function choosingFields(collection: Collection, endpoint: SingleRead): Endpoint {
  const { describes, handle } = endpoint
  return {
    ...endpoint,
    parameters: memberNamesOf(collection),
    describes: { ...describes, asks: collection, answers: [...describes.answers, chosenMembers(collection.name)] },
    async handle(call) {
      const members = call.parameters.size === 0 ? {} : readMembers(collection, call)
      return 'problem' in members ? members : withFields(await handle(call), members.fields)
    },
  }
}

/** The members to show of a thing, read as on its collection. */
export function readMembers(
  collection: Collection,
  { query, parameters }: Call,
): ShownMembers | { readonly problem: Problem } {
  const names = memberNamesOf(collection)
  const chosen = query.parameters.filter(({ name }) => names.includes(name))
  const parsed = parseQuery(collection, { text: '', parameters: chosen })
  if ('faults' in parsed) return { problem: parameterProblem(parsed.faults) }
  const past = pastNames.find((name) => parameters.has(name))
  // Related things are read in their current state.
  if (past !== undefined && parsed.query.expand !== undefined) {
    return { problem: wrongParameter(chosen[0]?.name ?? '', reason('not-together', { other: past, wants: 'related' })) }
  }
  return parsed.query
}

/** Reduces the document of an answer to some members, as a table of them for people. */
export function withFields(answer: Answer, fields: readonly string[] | undefined): Answer {
  if (fields === undefined || !('document' in answer) || answer.document === undefined) return answer
  const { document, shown: _shown, ...others } = answer
  // This header would name the address of the whole thing.
  const { 'content-location': _whole, ...headers } = answer.headers ?? {}
  return { ...others, headers, document: { ...document, json: project(document.json, fields) } }
}
