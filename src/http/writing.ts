import type { Guard } from '../values/guard.ts'
import { readIdempotencyKey } from './command-id.ts'
import { readGuard } from './conditional.ts'
import { type Call, header } from './endpoint.ts'
import { readSwitch } from './parameters.ts'
import { headerProblem, type Problem, parameterProblem } from './problem.ts'

/** What every write may say about itself, in headers or in a form's hidden fields. */
export interface Writing {
  readonly guard: Guard
  readonly dryRun: boolean
  readonly key: string | undefined
}

export function readWriting(call: Call): Writing | { readonly problem: Problem } {
  const dryRun = readSwitch(call.parameters, 'dry-run')
  if ('problem' in dryRun) return dryRun
  const guard = guardOf(call)
  if ('problem' in guard) return guard
  const sent = header(call, 'idempotency-key') ?? call.fields?.get('_command')
  if (sent === undefined) return { guard: guard.guard, dryRun: dryRun.on, key: undefined }
  const key = readIdempotencyKey(sent)
  return 'problem' in key ? key : { guard: guard.guard, dryRun: dryRun.on, key: key.command }
}

/** For writes that no command stands for. */
export function readWritingWithoutKey(call: Call): Writing | { readonly problem: Problem } {
  const writing = readWriting(call)
  if ('problem' in writing || writing.key === undefined) return writing
  return { problem: headerProblem('Idempotency-Key', 'is for writes to a deal') }
}

function guardOf(call: Call): { readonly guard: Guard } | { readonly problem: Problem } {
  const required = call.service.settings.requireIfMatch
  const shown = call.fields?.get('_revision')
  if (shown === undefined) return readGuard(call, call.service.tags, required)
  if (/^[1-9]\d{0,15}$/.test(shown)) return { guard: { revisions: [Number(shown)], required } }
  return { problem: parameterProblem([{ parameter: '_revision', detail: 'must be a revision' }]) }
}
