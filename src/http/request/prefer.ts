import type { Headers } from '../contract/answer.ts'
import { type Call, header } from '../contract/endpoint.ts'

/** RFC 7240 §4.2: whether the client wants the answer's body. */
export function prefersMinimal(call: Call): boolean {
  const value = header(call, 'prefer')
  return value !== undefined && asked.exec(value)?.[1]?.toLowerCase() === 'minimal'
}

// RFC 7240 §2: the first of several equal preferences counts.
const asked = /(?:^|[,;]\s*)return\s*=\s*"?([\w-]+)"?\s*(?:$|[,;])/i

export const MINIMAL = { 'preference-applied': 'return=minimal' } as const

/** For answers that never have a body. */
export const preferenceApplied = (call: Call): Headers => (prefersMinimal(call) ? MINIMAL : {})
