import type { Collection } from '../collection.ts'
import { leavesOf, type Term } from '../query.ts'
import type { QueryString } from '../query-string.ts'
import { readFilterParameter } from './parse-query.ts'

/** The parameters that have such a term, directly or within a tree, each with its first one. */
export function parametersWith(
  collection: Collection,
  { parameters }: QueryString,
  isIt: (term: Term) => boolean,
): readonly { readonly name: string; readonly term: Term }[] {
  return parameters.flatMap((parameter) => {
    const read = readFilterParameter(collection, parameter)
    if (read === undefined || 'fault' in read) return []
    const term = leavesOf([read]).find(isIt)
    return term === undefined ? [] : [{ name: parameter.name, term }]
  })
}

/** The parameter that searches a pattern in a field. */
export function regexParameter(collection: Collection, query: QueryString, name: string): string {
  const isIt = ({ field, operator }: Term) => field.name === name && operator === 'regex'
  return parametersWith(collection, query, isIt)[0]?.name ?? `${name}.regex`
}
