import type { Command } from '../../../model/intent/intent.ts'
import { isRemoval, resourceNamed } from '../../../model/schema/resources.ts'
import type { StoredEvent } from '../../port/desk.ts'
import { eventOf } from '../../port/event-of.ts'
import type { Outcome } from '../../port/store.ts'
import { findCommandDoc } from '../../rows/command.ts'
import type { EventRow } from '../../rows/event.ts'
import { storedAfter, storedThing } from '../../rows/things.ts'
import { statementIn } from '../../sql/dialect.ts'
import { eventReader } from '../../work/reads.ts'
import type { Connections } from '../connect/connections.ts'
import { untilReached } from '../connect/recovered.ts'
import type { TurnSettings } from '../schema/model-in-use.ts'
import { postgres } from '../sql/dialect.ts'
import type { Replay } from './decide.ts'

/**
 * Completes decisions: a known command is answered from its event, which may be among those just written. Answers are
 * read independently: one failed read must not hide committed results.
 */
export function answerer(connections: Connections, settings: () => TurnSettings) {
  const findEvent = eventReader(postgres, (statement, ...values) => connections.read(statement, values))

  return <A extends object>({
    answers,
    events,
  }: {
    readonly answers: readonly (A | Replay)[]
    readonly events: readonly EventRow[]
  }): readonly (A | Promise<Outcome>)[] => {
    const fresh = new Map(events.map(({ event, stored }) => [`${event.thing.id} ${stored.revision}`, stored]))
    return answers.map((answer) => ('replay' in answer ? replay(answer.replay, fresh) : answer))
  }

  async function replay(command: Command, fresh: ReadonlyMap<string, StoredEvent>): Promise<Outcome> {
    if (command.refusal !== null) return { kind: 'refused', refusal: command.refusal, replayed: true }
    const { id, subject, revision } = command
    const { schema } = settings()
    const resource = resourceNamed(schema, command.resource)
    const made = command.named?.made ?? false
    const event =
      fresh.get(`${subject} ${revision}`) ?? (await untilReached(() => findEvent(resource, subject, revision)))
    if (event !== undefined) {
      const thing = storedAfter(resource, subject, event)
      const removed = isRemoval(resource, event.operation)
      return { kind: 'applied', thing, removed, made, event: eventOf(command, event), command, replayed: true }
    }
    const [row] = await untilReached(() => connections.read(COMMAND_DOC, [id]))
    if (typeof row?.[0] !== 'string') throw new Error(`command ${id} has no event ${revision}`)
    const thing = storedThing(resource, JSON.parse(row[0]), row[0])
    return { kind: 'applied', thing, removed: false, made, event, command, replayed: true }
  }
}

const COMMAND_DOC = statementIn(postgres, findCommandDoc)
