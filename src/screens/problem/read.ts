import type { Call } from '../../http/contract/endpoint.ts'
import { problemTypes } from '../../http/contract/problems/problem-types.ts'
import type { Screen } from '../parts/screen.ts'
import { problemsPage, problemTypePage } from './view.ts'

/** Every kind of problem. */
export function showProblems({ schema, service: { addresses } }: Call): Screen {
  const kinds = Object.entries(problemTypes(schema))
  return () => problemsPage(kinds.map(([code, type]) => ({ ...type, code, href: addresses.problem(code) })))
}

export function showProblemType({ params: { code = '' }, schema, service: { addresses } }: Call): Screen | undefined {
  const type = problemTypes(schema)[code]
  return type && (() => problemTypePage({ ...type, code, above: `${addresses.base}/problems`, addresses }))
}
