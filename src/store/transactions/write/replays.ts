import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { NotTried } from '../../../model/intent/batch.ts'
import type { Command } from '../../../model/intent/intent.ts'
import { isRemoval, resourceNamed } from '../../../model/schema/resources.ts'
import { onceFor } from '../../../values/memoize.ts'
import type { StoredEvent } from '../../port/desk.ts'
import { eventOf } from '../../port/event-of.ts'
import type { Outcome } from '../../port/store.ts'
import { findCommandDoc } from '../../rows/command.ts'
import { type EventRow, findEvent, readEvent } from '../../rows/event.ts'
import { storedAfter, storedThing } from '../../rows/things.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'
import type { BatchDecision } from './deciding.ts'

/** The outcomes of a batch, those of known commands from their events. */
export function* repeatOutcomes(
  dialect: SqlDialect,
  { answers, events, schema }: BatchDecision,
): Work<readonly (Outcome | NotTried)[]> {
  if (answers.every(isOutcome)) return answers
  const outcomes: (Outcome | NotTried)[] = []
  for (const answer of answers)
    outcomes.push(isOutcome(answer) ? answer : yield* repeatOutcome(dialect, schema, answer.replay, events))
  return outcomes
}

const isOutcome = (answer: BatchDecision['answers'][number]): answer is Outcome | NotTried => 'kind' in answer

/**
 * The outcome of a decided command again: the thing as the command left it, as its event has it, which may be among those
 * just written.
 */
export function* repeatOutcome(
  dialect: SqlDialect,
  schema: Schema,
  command: Command,
  fresh: readonly EventRow[],
): Work<Outcome> {
  if (command.refusal !== null) return { kind: 'refused', refusal: command.refusal, replayed: true }
  const { id, subject, revision } = command
  const resource: Resource = resourceNamed(schema, command.resource)
  const event = freshEvent(fresh, command) ?? (yield* storedEvent(dialect, resource, subject, revision))
  const made = command.named?.made ?? false
  if (event !== undefined) {
    const thing = storedAfter(resource, subject, event)
    const removed = isRemoval(resource, event.operation)
    return { kind: 'applied', thing, removed, made, event: eventOf(command, event), command, replayed: true }
  }
  const [row] = yield* ask(commandDoc(dialect), id)
  if (typeof row?.[0] !== 'string') throw new Error(`command ${id} has no event ${revision}`)
  const thing = storedThing(resource, JSON.parse(row[0]), row[0])
  return { kind: 'applied', thing, removed: false, made, event, command, replayed: true }
}

const freshEvent = (fresh: readonly EventRow[], { resource, subject, revision }: Command): StoredEvent | undefined =>
  fresh.find(
    ({ event: { operation, thing } }) =>
      thing.id === subject && thing.revision === revision && operation.on.name === resource,
  )?.stored

function* storedEvent(
  dialect: SqlDialect,
  resource: Resource,
  subject: Key,
  revision: number,
): Work<StoredEvent | undefined> {
  const [row] = yield* ask(eventStatement(dialect)(resource), String(subject), revision)
  return row && readEvent(row)
}

const eventStatement = onceFor((dialect: SqlDialect) => bySchema((resource: Resource) => findEvent(dialect, resource)))
const commandDoc = onceFor((dialect: SqlDialect) => statementIn(dialect, findCommandDoc))
