import type { Headers } from './answer.ts'
import { type Call, header } from './endpoint.ts'

/** RFC 7240 §4.2: whether the client wants the answer's body. */
export function prefersMinimal(call: Call): boolean {
  const value = header(call, 'prefer')
  return value !== undefined && /(?:^|[,;]\s*)return\s*=\s*"?minimal"?\s*(?:$|[,;])/i.test(value)
}

export const MINIMAL = { 'preference-applied': 'return=minimal' } as const

/** For an answer that has no body either way. */
export const preferenceApplied = (call: Call): Headers => (prefersMinimal(call) ? MINIMAL : {})
