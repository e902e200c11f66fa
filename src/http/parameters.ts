import { nearest } from '../values/nearest.ts'
import { type Problem, parameterProblem } from './problem.ts'

/** The query of an address that is no collection: every name known, each at most once. */
export function readParameters(
  search: string,
  known: readonly string[],
): { readonly parameters: ReadonlyMap<string, string> } | { readonly problem: Problem } {
  const parameters = new Map<string, string>()
  if (search === '') return { parameters }
  for (const term of search.split('&')) {
    if (term === '') continue
    const at = term.indexOf('=')
    const name = decode(at < 0 ? term : term.slice(0, at))
    const value = decode(at < 0 ? '' : term.slice(at + 1))
    if (name === undefined || value === undefined) return wrong(term, 'has a bad percent escape')
    if (!known.includes(name) && name !== 'format') return wrong(name, unknown(name, known))
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

function unknown(name: string, known: readonly string[]): string {
  const near = nearest(name, [...known, 'format'])
  return near === undefined ? 'is not known here' : `is not known here, did you mean ${near}?`
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
