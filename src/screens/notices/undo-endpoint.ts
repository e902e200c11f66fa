import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { wrongParameter } from '../../http/contract/problems/problem.ts'
import type { Around, Write, WriteOutcome } from '../../http/contract/write.ts'
import { readIdempotencyKey } from '../../http/request/command-id.ts'
import { writeTogether } from '../../http/write/write.ts'
import type { UndoStep } from '../../model/declaration/operation.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { personMembers, personsIn } from '../../model/intent/persons.ts'
import { operationNamed } from '../../model/schema/resources.ts'
import { localPath } from '../../values/address.ts'
import { reason } from '../../values/faults/fault.ts'
import type { Guard } from '../../values/guard.ts'
import { newCommandId } from '../forms/command-id.ts'
import { type Done, readDone, tellNext } from './done-cookie.ts'
import { type Happened, happened, stateBefore } from './happened.ts'

/**
 * Undoes the effects of a form: their opposites in one commit, if nobody has changed the things since. decisions/0048
 */
export const undoEndpoint: Endpoint = {
  method: 'POST',
  path: '/undo',
  role: 'editor',
  summary: 'Undo what a form did',
  offers: 'resource',
  forPeople: true,
  reads: ['application/x-www-form-urlencoded'],
  handle: undo,
}

async function undo(call: Call): Promise<Answer> {
  const done = readDone(call.fields?.get('done') ?? '', call.schema)
  if (done === undefined) return { problem: wrongParameter('done', reason('malformed', { wants: 'done' })) }
  const sent = readIdempotencyKey(call.fields?.get('_command') ?? newCommandId(), '_command')
  if ('problem' in sent) return sent
  const key = sent.command
  const { addresses } = call.service
  const location = addresses.base + (localPath(call.fields?.get('_return')) ?? '/')
  const lead = (told: Parameters<typeof tellNext>[0]): Answer => ({
    status: 303,
    headers: { location, 'set-cookie': tellNext(told, call) },
  })
  const { made, unknown } = await happened(done, call)
  const asked: Write[] = []
  for (const each of made.toReversed()) {
    const before = await stateBefore(each, call)
    if (before === undefined || each.operation.undo === undefined) return lead({ done, refused: 'impossible' })
    const isLast = !asked.some(({ target, resource }) => target === each.id && resource === each.operation.on.name)
    each.operation.undo(before, each.params).forEach((step, at) => {
      const guard: Guard = isLast && at === 0 ? { required: false, revisions: [each.revision] } : { required: false }
      asked.push(stepOf(each, step, { guard, key, among: asked.length }))
    })
  }
  if (unknown > 0 || asked.length === 0) return lead({ done, refused: 'impossible' })
  const around = { guard: { required: false }, key }
  const undone = await writeTogether(asked, { atomic: true }, { ...call, around, form: 'undo' })
  if ('problem' in undone) return undone
  const { isKept, written } = undone
  if (!isKept) return lead({ done, refused: written.some(isStale) ? 'changed' : 'impossible' })
  return lead({ done: doneBy(written, key) ?? done })
}

/** Persons whom it puts back need not be users any more. */
const stepOf = ({ operation, id }: Happened, step: UndoStep, around: Around): Write => ({
  resource: operation.on.name,
  target: id,
  change: { action: step.operation, params: step.params },
  around: { ...around, persons: { unchecked: personsPutBack(operation.on, step) } },
})

const personsPutBack = (on: Resource, { operation, params }: UndoStep): readonly string[] =>
  personsIn(params, personMembers(on, operationNamed(operation, on))).map(({ text }) => text)

const isStale = (written: WriteOutcome): boolean =>
  'outcome' in written &&
  written.outcome.kind === 'refused' &&
  ['stale-revision', 'deleted', 'wrong-state', 'not-found'].includes(written.outcome.refusal.code)

/** The effects of the undo, which can be undone in turn. */
function doneBy(written: readonly WriteOutcome[], key: string): Done | undefined {
  const [only] = written
  if (written.length > 1) return { key, count: written.length, isUndo: true }
  if (only === undefined || !('outcome' in only) || only.outcome.kind !== 'applied') return undefined
  const { thing } = only.outcome
  return { resource: only.intent.resource, id: thing.id, revision: thing.revision }
}
