import type { Intent } from '../../../model/perform/intent.ts'
import type { Resource } from '../../../model/resource.ts'
import type { Outcome } from '../../../store/port/store.ts'
import type { Guard } from '../../../values/guard.ts'
import { isOrdinal } from '../../../values/kinds/number.ts'
import { type AskedWrite, ask } from '../../ask/ask.ts'
import { bare } from '../../forms/form.ts'
import { readCommandId, readIdempotencyKey } from '../../request/command-id.ts'
import { replayed } from '../../resources/things/replies.ts'
import { headerProblem, type Problem, parameterProblem, refusalProblem } from '../../respond/problems/problem.ts'
import type { DoorCall } from '../door.ts'

/** A change as a door reads it; what its protocol leaves untyped is checked here. */
export interface WantedChange extends Pick<Intent, 'target' | 'change' | 'seen'> {
  readonly resource: Resource
  /** Absent where faults are told as those of a body that consists of the parameters. */
  readonly pointers?: Intent['pointers']
  /** Faults of what stands around the parameters. */
  readonly faults?: Intent['faults']
  /** The id under which it is decided once. */
  readonly commandId?: unknown
  /** The same from an Idempotency-Key; a `commandId` goes before it. */
  readonly key?: string | undefined
  /** The revision that the thing must have. */
  readonly expectedRevision?: unknown
  /** Every check, and nothing is stored. */
  readonly dryRun?: unknown
  /** Preconditions of a protocol that has them; they hold beside a revision. */
  readonly guard?: Guard
}

export type Applied = Extract<Outcome, { kind: 'applied' }>

/** Asks for a change; a refusal is a problem, as everywhere. */
export async function askChange(wanted: WantedChange, call: DoorCall): Promise<ChangeResult> {
  const asked = readAsked(wanted, call)
  if ('problem' in asked) return asked
  const told = await ask(asked.asked, call)
  if ('problem' in told) return told
  return resultOf(told.outcome)
}

export type ChangeResult = { readonly applied: Applied } | { readonly problem: Problem }

/** What became of a change, alone or of one among many. */
export function resultOf(outcome: Outcome): ChangeResult {
  if (outcome.kind === 'applied') return { applied: outcome }
  const problem = refusalProblem(outcome.refusal)
  return { problem: { ...problem, headers: { ...problem.headers, ...replayed(outcome) } } }
}

/** The same before it is asked: `askTogether` takes many of them. */
export function readAsked(
  wanted: WantedChange,
  { form, service }: Pick<DoorCall, 'form' | 'service'>,
): { readonly asked: AskedWrite } | { readonly problem: Problem } {
  const { resource, target, change, seen, pointers = bare, faults = [] } = wanted
  const { commandId = null, expectedRevision = null, dryRun = null } = wanted
  if (dryRun !== null && typeof dryRun !== 'boolean') return wrong('dryRun', 'must be true or false')
  if (expectedRevision !== null && !isOrdinal(expectedRevision)) return wrong('expectedRevision', 'must be a revision')
  if (commandId !== null && typeof commandId !== 'string') return wrong('commandId', 'must be a text')
  const command = commandOf(commandId, wanted.key)
  if (command !== undefined && 'problem' in command) return command
  const required = service.settings.requireIfMatch
  return {
    asked: {
      resource: resource.name,
      ...(target !== undefined && { target }),
      ...(seen && { seen }),
      change,
      pointers,
      faults,
      ...(command && { command }),
      guard: { ...(wanted.guard ?? { required }), ...(expectedRevision !== null && { stated: expectedRevision }) },
      dryRun: dryRun ?? false,
      form,
    },
  }
}

/** The id of a change that the content and a header can name: both must name the same. */
export function agreedId(
  commandId: unknown,
  key: string | undefined,
): Pick<WantedChange, 'commandId' | 'key'> | { readonly problem: Problem } {
  if (key === undefined) return { commandId }
  if (commandId === undefined || commandId === null || commandId === key) return { key }
  return { problem: headerProblem('Idempotency-Key', 'is another than the commandId') }
}

function commandOf(
  commandId: string | null,
  key: string | undefined,
): AskedWrite['command'] | { readonly problem: Problem } {
  if (commandId === null && key === undefined) return undefined
  const read = commandId === null ? readIdempotencyKey(key ?? '') : readCommandId(commandId)
  return 'problem' in read ? read : { id: read.command, by: commandId === null ? 'key' : 'id' }
}

const wrong = (parameter: string, detail: string): { readonly problem: Problem } => ({
  problem: parameterProblem([{ parameter, detail }]),
})
