import { representations } from '../../representations/representations.ts'
import type { Store } from '../../store/port/store.ts'
import { headerProblem, type Problem, parameterProblem } from '../respond/problems/problem.ts'

const shape = /^[A-Za-z0-9._~-]{1,128}$/
const endsInFormat = new RegExp(`\\.(${representations.map(({ name }) => name).join('|')})$`, 'i')

type ReadId = { readonly command: string } | { readonly problem: Problem }

export const whatIsWrong = (id: string): string | undefined =>
  !shape.test(id) || id === '.' || id === '..' ? 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ -' : undefined

export function readCommandId(id: string): ReadId {
  const detail = whatIsWrong(id)
  return detail === undefined ? { command: id } : { problem: idProblem(detail) }
}

/** Quoted as in the IETF draft, or bare. */
export function readIdempotencyKey(value: string, place: KeyPlace = 'Idempotency-Key'): ReadId {
  const key = /^"(.*)"$/.exec(value.trim())?.[1] ?? value.trim()
  const detail = whatIsWrong(key)
  return detail === undefined ? { command: key } : { problem: keyProblem(place, detail) }
}

/** A key comes in a header or, with a form, in a field. */
export type KeyPlace = 'Idempotency-Key' | '_command'

export const keyProblem = (place: KeyPlace, detail: string): Problem =>
  place === '_command' ? parameterProblem([{ parameter: place, detail }]) : headerProblem(place, detail)

/**
 * A new id must not end in the suffix of a format, which its address would be read as. A known id stays valid when a
 * format of that name is added.
 */
export async function newIdProblem(
  { id, by }: { readonly id: string; readonly by: 'id' | 'key' },
  store: Store,
): Promise<Problem | undefined> {
  if (!endsInFormat.test(id) || (await store.command(id)) !== undefined) return undefined
  const detail = 'must not end in the name of a format'
  return by === 'key' ? headerProblem('Idempotency-Key', detail) : idProblem(detail)
}

const idProblem = (detail: string): Problem => ({ code: 'malformed-request', detail: `The command id ${detail}.` })
