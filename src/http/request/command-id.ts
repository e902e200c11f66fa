import { representations } from '../../representations/representations.ts'
import { SERVICE } from '../../store/port/desk.ts'
import type { Store } from '../../store/port/store.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { headerProblem, type Problem, wrongParameter } from '../contract/problems/problem.ts'

const shape = /^[A-Za-z0-9._~-]{1,128}$/
const endsInFormat = new RegExp(`\\.(${representations.map(({ name }) => name).join('|')})$`, 'i')

type ReadId = { readonly command: string } | { readonly problem: Problem }

export const whatIsWrong = (id: string): Reason | undefined =>
  !shape.test(id) || id === '.' || id === '..' ? reason('malformed', { wants: 'command-id' }) : undefined

export function readCommandId(id: string): ReadId {
  const why = whatIsWrong(id)
  return why === undefined ? { command: id } : { problem: idProblem(why) }
}

/** Quoted as in the IETF draft, or bare. */
export function readIdempotencyKey(value: string, place: KeyPlace = 'Idempotency-Key'): ReadId {
  const key = /^"(.*)"$/.exec(value.trim())?.[1] ?? value.trim()
  const why = whatIsWrong(key)
  return why === undefined ? { command: key } : { problem: keyProblem(place, why) }
}

/** A key comes in a header or, with a form, in a field. */
export type KeyPlace = 'Idempotency-Key' | '_command'

export const keyProblem = (place: KeyPlace, why: Reason): Problem =>
  place === '_command' ? wrongParameter(place, why) : headerProblem(place, why)

/**
 * A new id must not end in the suffix of a format, as which its address would be read. A known id stays valid when a
 * format of that name is added, for every caller.
 */
export async function newIdProblem(
  { id, by }: { readonly id: string; readonly by: 'id' | 'key' },
  store: Store,
): Promise<Problem | undefined> {
  if (!endsInFormat.test(id) || (await store.as(SERVICE).command(id)) !== undefined) return undefined
  const why = reason('malformed', { wants: 'id-without-format' })
  return by === 'key' ? headerProblem('Idempotency-Key', why) : idProblem(why)
}

const idProblem = (why: Reason): Problem => ({
  code: 'malformed-request',
  detail: { text: 'The command id {why}.', with: { why } },
})
