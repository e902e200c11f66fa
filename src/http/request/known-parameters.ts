import type { QueryString } from '../../queries/query-string.ts'
import { didYouMean } from '../../values/nearest.ts'
import { type Problem, parameterProblem } from '../respond/problems/problem.ts'

/** Reads the query of an address that is no collection: only known names, each at most once. */
export function readKnownParameters(
  query: QueryString,
  known: readonly string[],
): { readonly parameters: ReadonlyMap<string, string> } | { readonly problem: Problem } {
  const parameters = new Map<string, string>()
  for (const { name, value = '', fault } of query.parameters) {
    if (fault !== undefined) return wrong(name, fault)
    if (!known.includes(name) && name !== 'format') {
      return wrong(name, `is not known here${didYouMean(name, [...known, 'format'])}`)
    }
    if (parameters.has(name)) return wrong(name, 'is given twice')
    parameters.set(name, value)
  }
  return { parameters }
}

export function readSwitch(
  parameters: ReadonlyMap<string, string>,
  name: string,
): { readonly on: boolean } | { readonly problem: Problem } {
  const value = parameters.get(name)
  if (value === undefined || value === 'false') return { on: false }
  return value === 'true' ? { on: true } : wrong(name, 'must be true or false')
}

const wrong = (parameter: string, detail: string): { readonly problem: Problem } => ({
  problem: parameterProblem([{ parameter, detail }]),
})
