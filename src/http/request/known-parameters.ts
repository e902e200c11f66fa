import type { QueryString } from '../../queries/query-string.ts'
import { near, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { type Problem, wrongParameter } from '../contract/problems/problem.ts'

/** Reads the query of an address that is not a collection: only known names, each at most once. */
export function readKnownParameters(
  query: QueryString,
  known: readonly string[],
): { readonly parameters: ReadonlyMap<string, string> } | { readonly problem: Problem } {
  const parameters = new Map<string, string>()
  for (const { name, value = '', fault } of query.parameters) {
    if (fault !== undefined) return { problem: wrongParameter(name, fault) }
    if (!known.includes(name) && name !== 'format') {
      return { problem: wrongParameter(name, reason('unknown', near(nearest(name, [...known, 'format'])))) }
    }
    if (parameters.has(name)) return { problem: wrongParameter(name, reason('repeated', { wants: 'member' })) }
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
  return value === 'true' ? { on: true } : { problem: wrongParameter(name, reason('type', { wants: 'boolean' })) }
}
