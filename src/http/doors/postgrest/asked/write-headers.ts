import type { Guard } from '../../../../values/guard.ts'
import { header } from '../../../endpoint.ts'
import { readIdempotencyKey } from '../../../request/command-id.ts'
import { readGuard } from '../../../request/preconditions.ts'
import type { Problem } from '../../../respond/problems/problem.ts'
import type { DoorCall } from '../../door.ts'

/** The preconditions of a write, and the id under which it is decided once. */
export interface WriteHeaders {
  readonly guard: Guard
  readonly key: string | undefined
}

export function readWriteHeaders(call: DoorCall): WriteHeaders | { readonly problem: Problem } {
  const { tags, settings } = call.service
  const stated = readGuard(call, tags, settings.requireIfMatch)
  if ('problem' in stated) return stated
  const sent = header(call, 'idempotency-key')
  if (sent === undefined) return { guard: stated.guard, key: undefined }
  const read = readIdempotencyKey(sent)
  return 'problem' in read ? read : { guard: stated.guard, key: read.command }
}
