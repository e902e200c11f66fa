import { headerProblem, type Problem } from './problem.ts'

const shape = /^[A-Za-z0-9._~-]{1,128}$/
// Such an id could not be read at its address: the ending would be taken for a format.
const endsInFormat = /\.(json|xml|html|csv|ndjson)$/i

const whatIsWrong = (id: string): string | undefined => {
  if (!shape.test(id) || id === '.' || id === '..') return 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ -'
  return endsInFormat.test(id) ? 'must not end in the name of a format' : undefined
}

export function readCommandId(id: string): { readonly command: string } | { readonly problem: Problem } {
  const detail = whatIsWrong(id)
  if (detail === undefined) return { command: id }
  return { problem: { code: 'malformed-request', detail: `The command id ${detail}.` } }
}

/** Quoted as in the IETF draft, or bare. */
export function readIdempotencyKey(value: string): { readonly command: string } | { readonly problem: Problem } {
  const key = /^"(.*)"$/.exec(value.trim())?.[1] ?? value.trim()
  const detail = whatIsWrong(key)
  return detail === undefined ? { command: key } : { problem: headerProblem('Idempotency-Key', detail) }
}
