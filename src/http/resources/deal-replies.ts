import { operationNamed } from '../../model/deal/operations.ts'
import type { Operation } from '../../model/operation.ts'
import { commandState, type Intent } from '../../model/perform.ts'
import type { Outcome } from '../../store/port/store.ts'
import type { Answer, Headers } from '../answer.ts'
import type { Call } from '../endpoint.ts'
import type { Reply } from '../forms/form.ts'
import { answerWrite, type Written } from '../respond/answer-write.ts'
import { commandDocument, dealDocument, entryDocument } from '../respond/documents.ts'
import { commandDraft, dealDraft, entryDraft } from '../respond/drafts.ts'
import { changed, created, removed, repeatable, type WriteSuccess } from '../respond/success.ts'

const dealCreated = repeatable(created('deals'))
const dealChanged = repeatable(changed('deals'))
const dealDeleted = repeatable(removed('deals'))
const entryMade: WriteSuccess = {
  ...repeatable(created('history')),
  headers: ['ETag', 'Last-Modified', 'Location'],
  when: 'The entry in the history.',
}
const commandDecided: WriteSuccess = {
  ...repeatable(created('commands')),
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
  when: 'Done; there is no body. Only a dry run has one: the deal as it would be.',
}

/** What the forms may answer with. */
export const successes: Readonly<Record<Reply, readonly WriteSuccess[]>> = {
  deal: [dealChanged, dealDeleted],
  created: [dealCreated],
  entry: [entryMade],
  command: [commandDecided, commandKnown],
  empty: [done],
}

/** What an operation answers with in a form, the first time it is asked for. */
export function successOf(reply: Reply, operation: Operation): WriteSuccess {
  const [usual = done, afterDeletion = usual] = successes[reply]
  return reply === 'deal' && isDeletion(operation) ? afterDeletion : usual
}

export const isDeletion = ({ changes, on }: Operation): boolean => on === undefined && changes.includes('deletedAt')

type Applied = Extract<Outcome, { kind: 'applied' }>

/** What a write to a deal answers when it went well. */
export async function replyTo(reply: Reply, outcome: Applied, intent: Intent, call: Call): Promise<Answer> {
  return replies[reply](outcome, await isPast(outcome, call), intent, call)
}

/** Whether the deal has changed since what the answer shows: a repeat may come after later changes. decisions/0013 */
async function isPast({ deal, replayed }: Applied, { service }: Call): Promise<boolean> {
  return replayed && (await service.store.deal(deal.id))?.revision !== deal.revision
}

const replies: Record<Reply, (outcome: Applied, isPast: boolean, intent: Intent, call: Call) => Answer> = {
  deal: (outcome, isPast, intent, call) =>
    answerWrite(
      outcome.deal.deletedAt === null ? dealChanged : dealDeleted,
      { ...writtenDeal(outcome, intent, call), isPast },
      call,
    ),
  created: (outcome, isPast, intent, call) =>
    answerWrite(dealCreated, { ...writtenDeal(outcome, intent, call), isPast }, call),
  entry(outcome, _isPast, intent, call) {
    const { deal, event } = outcome
    if (event === undefined) throw new Error('an operation left no event')
    const { addresses } = call.service
    const noun = operationNamed(event.operation)?.words.noun ?? ''
    const document = () => entryDocument(event, deal.id, noun, addresses)
    const written: Written = {
      ...writtenDeal(outcome, intent, call),
      document,
      foreseen: outcome.replayed ? document : () => entryDraft(event, deal.id, addresses),
      address: addresses.entry(deal.id, noun, event.revision),
      validators: { revision: event.revision, updatedAt: event.at },
    }
    return answerWrite(entryMade, written, call)
  },
  command(outcome, _isPast, intent, call) {
    const { command } = outcome
    if (command === undefined) throw new Error('a command was not recorded')
    const { addresses } = call.service
    const document = () => commandDocument(command, addresses)
    const written: Written = {
      ...writtenDeal(outcome, intent, call),
      document,
      foreseen: outcome.replayed ? document : () => commandDraft(command, intent.deal === undefined, addresses),
      validators: commandState(command),
    }
    return answerWrite(outcome.replayed ? commandKnown : commandDecided, written, call)
  },
  empty: (outcome, _isPast, intent, call) => answerWrite(done, writtenDeal(outcome, intent, call), call),
}

/** A deal that was written; one that a dry run would create does not exist. */
function writtenDeal(outcome: Applied, intent: Intent, { service }: Call): Written {
  const { deal, replayed: isReplayed } = outcome
  const { addresses } = service
  const document = () => dealDocument(deal, addresses)
  const isNew = intent.deal === undefined && !isReplayed
  const address = addresses.deal(deal.id)
  return {
    dryRun: intent.dryRun,
    document,
    foreseen: isNew ? () => dealDraft(deal, addresses) : document,
    address,
    validators: deal,
    next: address,
    headers: replayed(outcome),
  }
}

export const replayed = ({ replayed }: Outcome): Headers => (replayed ? { 'idempotent-replayed': 'true' } : {})
