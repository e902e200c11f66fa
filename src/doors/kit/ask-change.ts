import { type AskedWrite, ask } from '../../http/ask/ask.ts'
import { bare } from '../../http/contract/form.ts'
import { headerProblem, type Problem, thingProblem, wrongParameter } from '../../http/contract/problems/problem.ts'
import { readCommandId, readIdempotencyKey } from '../../http/request/command-id.ts'
import { replayed } from '../../http/respond/replies.ts'
import type { Intent } from '../../model/perform/intent.ts'
import type { Resource } from '../../model/schema.ts'
import type { Outcome } from '../../store/port/store.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { isOrdinal } from '../../values/kinds/number.ts'
import type { Around, DoorCall } from '../door.ts'

/** A change as a door reads it; what its protocol leaves untyped is checked here. */
export interface WantedChange extends Pick<Intent, 'target' | 'change' | 'seen'>, GuardWords {
  readonly resource: Resource
  /** Absent where faults are told as those of a body that consists of the parameters. */
  readonly pointers?: Intent['pointers']
  /** Faults of what stands around the parameters. */
  readonly faults?: Intent['faults']
}

/** What the content says of the write itself, in the words that all doors share. */
export interface GuardWords {
  /** The id under which it is decided once. */
  readonly commandId?: unknown
  /** The revision that the thing must have. */
  readonly expectedRevision?: unknown
  /** Every check, and nothing is stored. */
  readonly dryRun?: unknown
}

export type Applied = Extract<Outcome, { kind: 'applied' }>

/** Asks for a change; a refusal is a problem, as everywhere. */
export async function askChange(wanted: WantedChange, call: DoorCall): Promise<ChangeResult> {
  const asked = readAsked(wanted, call)
  if ('problem' in asked) return asked
  const told = await ask(asked.asked, call)
  if ('problem' in told) return told
  return resultOf(told.outcome, asked.asked.dryRun, call)
}

export type ChangeResult = { readonly applied: Applied; readonly dryRun: boolean } | { readonly problem: Problem }

/** What became of a change, alone or of one among many. */
export function resultOf(outcome: Outcome, dryRun: boolean, { schema }: Pick<DoorCall, 'schema'>): ChangeResult {
  if (outcome.kind === 'applied') return { applied: outcome, dryRun }
  const problem = thingProblem(outcome.refusal, schema)
  return { problem: { ...problem, headers: { ...problem.headers, ...replayed(outcome) } } }
}

/** The same before it is asked: `askTogether` takes many of them. */
export function readAsked(
  wanted: WantedChange,
  { form, around }: Pick<DoorCall, 'form' | 'around'>,
): { readonly asked: AskedWrite } | { readonly problem: Problem } {
  const { resource, target, change, seen, pointers = bare, faults = [] } = wanted
  const { commandId = null, expectedRevision = null, dryRun = null } = wanted
  if (dryRun !== null && typeof dryRun !== 'boolean') return wrong('dryRun', reason('type', { wants: 'boolean' }))
  if (expectedRevision !== null && !isOrdinal(expectedRevision))
    return wrong('expectedRevision', reason('malformed', { wants: 'revision' }))
  if (commandId !== null && typeof commandId !== 'string')
    return wrong('commandId', reason('type', { wants: 'string' }))
  const conflict = conflictOf({ commandId, expectedRevision, dryRun }, around)
  if (conflict !== undefined) return { problem: conflict }
  const command = commandOf(commandId, around)
  if (command !== undefined && 'problem' in command) return command
  return {
    asked: {
      resource: resource.name,
      ...(target !== undefined && { target }),
      ...(seen && { seen }),
      change,
      pointers,
      faults,
      ...(command && { command }),
      guard: { ...around.guard, ...(expectedRevision !== null && { stated: expectedRevision }) },
      dryRun: dryRun ?? around.dryRun ?? false,
      form,
    },
  }
}

/** The content and what stands around it may both speak of the write, if they say the same. */
function conflictOf(
  { commandId, expectedRevision, dryRun }: GuardWords,
  { key, guard, dryRun: around, among }: Around,
): Problem | undefined {
  if (key !== undefined && commandId !== null && commandId !== key && among === undefined) {
    return headerProblem('Idempotency-Key', reason('differs', { other: 'commandId' }))
  }
  if (around !== undefined && dryRun !== null && dryRun !== around) {
    return wrongParameter('dry-run', reason('differs', { other: 'dryRun' }))
  }
  const { revisions = [] } = guard
  // A tag that nothing has is no revision: it is refused as always.
  if (revisions === 'any' || revisions.length === 0 || expectedRevision === null) return undefined
  const isNamed = revisions.some((each) => (typeof each === 'number' ? each : each.revision) === expectedRevision)
  return isNamed ? undefined : headerProblem('If-Match', reason('differs', { other: 'expectedRevision' }))
}

function commandOf(
  commandId: string | null,
  { key, among }: Around,
): AskedWrite['command'] | { readonly problem: Problem } {
  if (commandId !== null && (commandId !== key || among !== undefined)) {
    const read = readCommandId(commandId)
    return 'problem' in read ? read : { id: read.command, by: 'id' }
  }
  if (key === undefined) return undefined
  const read = readIdempotencyKey(among === undefined ? key : `${key}.${among}`)
  return 'problem' in read ? read : { id: read.command, by: 'key' }
}

const wrong = (parameter: string, why: Reason): { readonly problem: Problem } => ({
  problem: wrongParameter(parameter, why),
})
