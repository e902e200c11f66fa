import type { Resource } from '../../../model/resource.ts'
import type { Collection } from '../../../queries/collection.ts'
import { collectionNamed } from '../../../queries/collections.ts'
import { type ShownMembers, shownMembers } from '../../../queries/members/expansion.ts'
import type { ParameterFault } from '../../../queries/query-string.ts'
import { type QuerySettings, readSetting } from '../../../queries/settings.ts'
import { project } from '../../../representations/project.ts'
import type { Answer } from '../../answer.ts'
import type { Call } from '../../endpoint.ts'
import { type Problem, parameterProblem } from '../../respond/problems/problem.ts'
import { pastNames } from './past-reads.ts'

const memberNames = ['fields', 'expand'] as const

/** The parameters that choose the members of an item. */
export const memberNamesOf = ({ relations }: Collection): readonly string[] =>
  relations.size === 0 ? ['fields'] : memberNames

/** The members to show of a thing, read as on its collection. */
export function readMembers(resource: Resource, { parameters }: Call): ShownMembers | { readonly problem: Problem } {
  const collection = collectionNamed(resource.plural)
  const faults: ParameterFault[] = []
  const asked: { [N in (typeof memberNames)[number]]?: QuerySettings[N] } = {}
  for (const name of memberNames) {
    const text = parameters.get(name)
    if (text === undefined) continue
    const read = readSetting(collection, name, text)
    if ('fault' in read) faults.push({ parameter: name, detail: read.fault })
    else Object.assign(asked, { [name]: read.value })
  }
  const members = shownMembers(collection, asked)
  const past = pastNames.find((name) => parameters.has(name))
  // Related things are read as they are now.
  if (past !== undefined && members.expand !== undefined) {
    const parameter = asked.expand === undefined ? 'fields' : 'expand'
    faults.push({ parameter, detail: `cannot show related things together with ${past}` })
  }
  return faults.length > 0 ? { problem: parameterProblem(faults) } : members
}

/** Reduces the document of an answer to some members, as a table of them for people. */
export function withFields(answer: Answer, fields: readonly string[] | undefined): Answer {
  if (fields === undefined || !('document' in answer) || answer.document === undefined) return answer
  const { page: _page, forms: _forms, ...document } = answer.document
  // What has the whole thing at an address of its own is not this.
  const { 'content-location': _whole, ...headers } = answer.headers ?? {}
  return { ...answer, headers, document: { ...document, json: project(document.json, fields) } }
}
