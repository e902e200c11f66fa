import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { commandState } from '../../model/perform/known.ts'
import { isDeleted, isDeletion, operationNamed, resourceNamed } from '../../model/schema/resources.ts'
import type { Answer } from '../contract/answer.ts'
import type { Call } from '../contract/endpoint.ts'
import type { Reply } from '../contract/form.ts'
import { accepted, changed, created, removed, repeatable, type WriteSuccess } from '../contract/success.ts'
import type { Applied } from '../contract/write.ts'
import { replayed } from '../write/write.ts'
import { answerWrite, type WriteResult } from './answer-write.ts'
import { commandDocument, entryDocument, keyInAddress, thingDocument } from './documents.ts'
import { commandDraft, entryDraft, thingDraft } from './drafts.ts'
import { offeredTo } from './offered.ts'

const entryMade: WriteSuccess = {
  ...repeatable(created('history', 'entry')),
  headers: ['ETag', 'Last-Modified', 'Location'],
  when: 'The entry in the history.',
}
const commandDecided: WriteSuccess = {
  ...repeatable(created('commands', 'command')),
  headers: ['ETag', 'Last-Modified'],
  when: 'The command, decided now; the address is its own.',
}
const commandKnown: WriteSuccess = {
  ...commandDecided,
  status: 200,
  when: 'The command was decided before: its stored answer.',
}
const done: WriteSuccess = {
  status: 200,
  headers: ['Link'],
  isRepeatable: true,
  when: 'Done; there is no body. Only a dry run has one: the thing as it would be.',
}

/** The possible answers of a form. */
export function successesOf(reply: Reply, resource: Resource, operation?: Operation): readonly WriteSuccess[] {
  const of = successOn(resource)
  switch (reply) {
    case 'thing':
      return waits(resource) ? [of.changed, of.removed, of.accepted] : [of.changed, of.removed]
    case 'created':
      return [of.created]
    case 'entry':
      return operation?.differences ? [entryMade, { ...of.changed, when: 'Nothing differs.' }] : [entryMade]
    case 'command':
      return [commandDecided, commandKnown]
    case 'empty':
      return [done]
  }
}

/** Whether a removal waits until everything has moved out of it. */
const waits = ({ parts, operations }: Resource): boolean =>
  parts !== undefined && operations.some(({ removes }) => removes)

/** The answer of an operation in a form, if it is not a repeat. */
export function successOf(reply: Reply, operation: Operation): WriteSuccess {
  const [usual = done, afterDeletion = usual] = successesOf(reply, operation.on)
  return reply === 'thing' && isDeletion(operation) ? afterDeletion : usual
}

const successOn = bySchema(({ plural, name }: Resource) => ({
  created: repeatable(created(plural, name)),
  changed: repeatable(changed(plural, name)),
  removed: repeatable(removed(plural)),
  accepted: repeatable(accepted(plural, `The ${name} is deleted when everything in it has moved.`)),
}))

/** The answer to a successful write. */
export async function replyTo(reply: Reply, applied: Applied, call: Call): Promise<Answer> {
  if (applied.isOutOfSight) return replyUnseen(applied, call)
  return replies[reply](applied, await isPast(applied, call), call)
}

/** The thing has left the caller's sight: it is as removed for them. */
function replyUnseen(applied: Applied, call: Call): Answer {
  const resource = resourceNamed(call.schema, applied.intent.resource)
  const { dryRun, next, headers } = writtenThing(applied, call)
  return answerWrite(successOn(resource).removed, { dryRun, ...(next && { next }), ...(headers && { headers }) }, call)
}

/** Whether the thing has changed since the answer's state: a repeat may come after later changes. decisions/0013 */
async function isPast({ intent, outcome }: Applied, { desk, schema }: Call): Promise<boolean> {
  const { thing, replayed } = outcome
  return replayed && (await desk.find(resourceNamed(schema, intent.resource), thing.id))?.revision !== thing.revision
}

const replies: Record<Reply, (applied: Applied, isPast: boolean, call: Call) => Answer> = {
  thing(applied, isPast, call) {
    const { intent, outcome } = applied
    const resource = resourceNamed(call.schema, intent.resource)
    const isGone = outcome.removed || isDeleted(outcome.thing)
    const { created, removed, changed, accepted } = successOn(resource)
    const { change } = intent
    // The things in it move first.
    const isLater = !isGone && 'action' in change && operationNamed(change.action, resource)?.removes === true
    return answerWrite(
      isGone ? removed : isLater ? accepted : outcome.made ? created : changed,
      { ...writtenThing(applied, call), isPast },
      call,
    )
  },
  created(applied, isPast, call) {
    const { created } = successOn(resourceNamed(call.schema, applied.intent.resource))
    return answerWrite(created, { ...writtenThing(applied, call), isPast }, call)
  },
  entry(applied, isPast, call) {
    const { intent, outcome } = applied
    const { thing, event } = outcome
    if (event === undefined) return replies.thing(applied, isPast, call)
    const { addresses } = call.service
    const resource = resourceNamed(call.schema, intent.resource)
    const noun = operationNamed(event.operation, resource)?.words.noun ?? ''
    const document = () => entryDocument(resource, event, thing.id, noun, addresses)
    const written: WriteResult = {
      ...writtenThing(applied, call),
      document,
      shown: undefined,
      foreseen: outcome.replayed ? document : () => entryDraft(resource, event, thing.id, addresses),
      address: `${addresses.thing(resource, keyInAddress(resource, thing))}/${noun}/${event.revision}`,
      validators: { revision: event.revision, updatedAt: event.at },
    }
    return answerWrite(entryMade, written, call)
  },
  command(applied, _isPast, call) {
    const { outcome } = applied
    const { command } = outcome
    if (command === undefined) throw new Error('a command was not recorded')
    const { schema, service } = call
    const { addresses } = service
    const document = () => commandDocument(command, addresses, schema)
    const written: WriteResult = {
      ...writtenThing(applied, call),
      document,
      shown: undefined,
      foreseen: outcome.replayed ? document : () => commandDraft(command, applied.isDraft, addresses, schema),
      validators: commandState(command),
    }
    return answerWrite(outcome.replayed ? commandKnown : commandDecided, written, call)
  },
  empty: (applied, _isPast, call) => answerWrite(done, writtenThing(applied, call), call),
}

/** The result of a write of a thing; after a dry run of a creation there is none. */
function writtenThing({ intent, outcome, isDraft }: Applied, call: Call): WriteResult {
  const { service, schema } = call
  const { thing, removed: isGone } = outcome
  const { addresses } = service
  const resource = resourceNamed(schema, intent.resource)
  const document = () => thingDocument(resource, thing, addresses, offeredTo(call, resource, thing))
  const address = addresses.thing(resource, keyInAddress(resource, thing))
  return {
    dryRun: intent.dryRun,
    document,
    shown: { screen: 'thing', resource, thing },
    foreseen: isDraft ? () => thingDraft(resource, thing, addresses) : document,
    address,
    validators: thing,
    next: isGone ? addresses.base + resource.path : address,
    done: outcome.event && { resource: resource.name, id: thing.id, revision: outcome.event.revision },
    headers: replayed(outcome),
  }
}
