import type { Intent } from '../../model/perform/intent.ts'
import { commandState } from '../../model/perform/perform.ts'
import { isDeleted, operationNamed, resourceNamed } from '../../model/resources.ts'
import type { Operation, Resource } from '../../model/schema.ts'
import type { Outcome } from '../../store/port/store.ts'
import type { Answer, Headers } from '../contract/answer.ts'
import type { Call } from '../contract/endpoint.ts'
import type { Reply } from '../contract/form.ts'
import { changed, created, removed, repeatable, type WriteSuccess } from '../contract/success.ts'
import { answerWrite, type WriteResult } from './answer-write.ts'
import { commandDocument, entryDocument, thingDocument } from './documents.ts'
import { type AppliedOutcome, commandDraft, entryDraft, isDraft, thingDraft } from './drafts.ts'

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
export function successesOf(reply: Reply, of: Resource, operation?: Operation): readonly WriteSuccess[] {
  switch (reply) {
    case 'thing':
      return [thingChanged(of), thingRemoved(of)]
    case 'created':
      return [thingCreated(of)]
    case 'entry':
      return operation?.differences ? [entryMade, { ...thingChanged(of), when: 'Nothing differs.' }] : [entryMade]
    case 'command':
      return [commandDecided, commandKnown]
    case 'empty':
      return [done]
  }
}

/** The answer of an operation in a form, when it is not a repeat. */
export function successOf(reply: Reply, operation: Operation): WriteSuccess {
  const [usual = done, afterDeletion = usual] = successesOf(reply, operation.on)
  return reply === 'thing' && isDeletion(operation) ? afterDeletion : usual
}

export const isDeletion = ({ changes, to, removes }: Operation): boolean =>
  removes === true || (to === undefined && changes.includes('deletedAt'))

type ResourceWords = Pick<Resource, 'plural' | 'name'>

const thingCreated = ({ plural, name }: ResourceWords): WriteSuccess => repeatable(created(plural, name))
const thingChanged = ({ plural, name }: ResourceWords): WriteSuccess => repeatable(changed(plural, name))
const thingRemoved = ({ plural, name }: ResourceWords): WriteSuccess => repeatable(removed(plural, name))

/** The answer to a successful write. */
export async function replyTo(reply: Reply, outcome: AppliedOutcome, intent: Intent, call: Call): Promise<Answer> {
  return replies[reply](outcome, await isPast(outcome, intent, call), intent, call)
}

/** Whether the thing has changed since the answer's state: a repeat may come after later changes. decisions/0013 */
async function isPast(
  { thing, replayed }: AppliedOutcome,
  { resource }: Intent,
  { desk, schema }: Call,
): Promise<boolean> {
  return replayed && (await desk.find(resourceNamed(schema, resource), thing.id))?.revision !== thing.revision
}

const replies: Record<Reply, (outcome: AppliedOutcome, isPast: boolean, intent: Intent, call: Call) => Answer> = {
  thing(outcome, isPast, intent, call) {
    const resource = resourceNamed(call.schema, intent.resource)
    const isGone = outcome.removed || isDeleted(outcome.thing)
    const success = isGone ? thingRemoved(resource) : thingChanged(resource)
    return answerWrite(success, { ...writtenThing(outcome, intent, call), isPast }, call)
  },
  created(outcome, isPast, intent, call) {
    const success = thingCreated(resourceNamed(call.schema, intent.resource))
    return answerWrite(success, { ...writtenThing(outcome, intent, call), isPast }, call)
  },
  entry(outcome, isPast, intent, call) {
    const { thing, event } = outcome
    if (event === undefined) return replies.thing(outcome, isPast, intent, call)
    const { addresses } = call.service
    const resource = resourceNamed(call.schema, intent.resource)
    const noun = operationNamed(event.operation, resource)?.words.noun ?? ''
    const document = () => entryDocument(resource, event, thing.id, noun, addresses)
    const written: WriteResult = {
      ...writtenThing(outcome, intent, call),
      document,
      foreseen: outcome.replayed ? document : () => entryDraft(resource, event, thing.id, addresses),
      address: `${addresses.thing(resource, thing.id)}/${noun}/${event.revision}`,
      validators: { revision: event.revision, updatedAt: event.at },
    }
    return answerWrite(entryMade, written, call)
  },
  command(outcome, _isPast, intent, call) {
    const { command } = outcome
    if (command === undefined) throw new Error('a command was not recorded')
    const { schema, service } = call
    const { addresses } = service
    const document = () => commandDocument(command, addresses, schema)
    const written: WriteResult = {
      ...writtenThing(outcome, intent, call),
      document,
      foreseen: outcome.replayed
        ? document
        : () => commandDraft(command, intent.target === undefined, addresses, schema),
      validators: commandState(command),
    }
    return answerWrite(outcome.replayed ? commandKnown : commandDecided, written, call)
  },
  empty: (outcome, _isPast, intent, call) => answerWrite(done, writtenThing(outcome, intent, call), call),
}

/** The result of a write of a thing; after a dry run of a creation there is none. */
function writtenThing(outcome: AppliedOutcome, intent: Intent, { service, schema }: Call): WriteResult {
  const { thing, removed: isGone } = outcome
  const { addresses } = service
  const resource = resourceNamed(schema, intent.resource)
  const document = () => thingDocument(resource, thing, addresses)
  const address = addresses.thing(resource, thing.id)
  return {
    dryRun: intent.dryRun,
    document,
    foreseen: isDraft(intent, outcome) ? () => thingDraft(resource, thing, addresses) : document,
    address,
    validators: thing,
    next: isGone ? addresses.base + resource.path : address,
    done: outcome.event && { resource: resource.name, id: thing.id, revision: outcome.event.revision },
    headers: replayed(outcome),
  }
}

export const replayed = ({ replayed }: Pick<Outcome, 'replayed'>): Headers =>
  replayed ? { 'idempotent-replayed': 'true' } : {}
