import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { targetSought } from '../../../model/perform/decide-change.ts'
import type { Intent } from '../../../model/perform/intent.ts'
import type { Key, Resource } from '../../../model/resource.ts'
import { isRemoval, resourceNamed } from '../../../model/resources.ts'
import type { Outcome } from '../../port/store.ts'
import { type StoredEvent, StoreUnavailable } from '../../port/store.ts'
import { findCommandDoc } from '../../rows/command.ts'
import { storedAfter, storedThing } from '../../rows/things.ts'
import { statementIn } from '../../sql/dialect.ts'
import type { Session } from '../connect/connection.ts'
import type { Connections } from '../connect/connections.ts'
import { asUnavailable, ConnectionLost, isDuplicate, isMissingReference, isRepeatable } from '../connect/faults.ts'
import { postgres } from '../dialect.ts'
import { eventFinder } from '../feed/event-rows.ts'
import { type BatchDecision, decideTogether, type IdentifiedIntent } from './decide-together.ts'
import { factsStatement, factsValues, readFacts } from './facts.ts'
import { awaitTurn, writeOf } from './write.ts'

const MOST_TRIES = 12
const MOST_REPEATS = 5
/** How long to wait for a reconnect before answering 503. */
const LONGEST_RECOVERY = 3000

/** Decides and writes intents on one thing, in their order: two round trips where nobody else changes it. */
export function performer(
  connections: Connections,
  defaults: { readonly currency: string },
  newIdFor: (intent: Intent) => Promise<Key>,
): (intents: readonly Intent[]) => Promise<Outcome[]> {
  const findEvent = eventFinder(connections)

  return async (intents) => {
    const decided = await decideAndWrite(await withIds(intents))
    const fresh = new Map(decided.events.map(({ event, stored }) => [`${event.thing.id} ${stored.revision}`, stored]))
    return Promise.all(decided.answers.map((answer) => ('replay' in answer ? replay(answer.replay, fresh) : answer)))
  }

  function withIds(intents: readonly Intent[]): Promise<readonly IdentifiedIntent[]> {
    return Promise.all(intents.map(async (intent) => ({ intent, newId: await newIdFor(intent) })))
  }

  async function decideAndWrite(first: readonly IdentifiedIntent[]): Promise<BatchDecision> {
    const resource = resourceNamed(first[0]?.intent.resource ?? '')
    let asked = first
    const lost = new Map<string, BatchDecision>()
    let locked = false
    let repeats = 0
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const writeId = randomUUID()
      let decided: BatchDecision | undefined
      const decide = (rows: Parameters<typeof readFacts>[1]): BatchDecision => {
        decided = decideTogether(resource, asked, readFacts(resource, rows), new Date().toISOString(), defaults)
        return decided
      }
      try {
        const done = locked
          ? await underLock(resource, asked, decide, writeId, lost)
          : await optimistically(resource, asked, decide, writeId)
        if (done !== undefined) return done
        // Somebody else was faster: another race could be lost again, a lock cannot.
        locked = true
      } catch (cause) {
        if (cause instanceof ConnectionLost) {
          await recovered(cause)
          if (decided !== undefined) {
            lost.set(writeId, decided)
            locked = true
          }
        } else if (isRepeatable(cause)) {
          if (++repeats > MOST_REPEATS) throw new StoreUnavailable('too many are changing this at once', 1, cause)
          await pause(10 + Math.random() * 190)
        } else if (isDuplicate(cause)) {
          // The command was decided elsewhere meanwhile: the next look finds it. Or an import took the number.
          asked = await withIds(asked.map(({ intent }) => intent))
        } else if (isMissingReference(cause)) {
          // What it refers to was removed meanwhile, or something refers to it now.
        } else {
          throw asUnavailable(cause)
        }
      }
    }
    throw new StoreUnavailable('too many are changing this at once', 1)
  }

  /** Nothing when the deal has moved on since it was read, or when somebody else is changing it. */
  async function optimistically(
    resource: Resource,
    asked: readonly IdentifiedIntent[],
    decide: (rows: Awaited<ReturnType<Session['query']>>) => BatchDecision,
    writeId: string,
  ): Promise<BatchDecision | undefined> {
    const values = factsValues(
      resource,
      asked.map(({ intent }) => intent),
    )
    const decided = decide(await connections.read(factsStatement(resource), values))
    const write = writeOf(resource, decided, writeId)
    if (write === undefined) return decided
    return isWritten(await connections.write(String(values[0] ?? asked[0]?.newId), write.statement, write.values))
      ? decided
      : undefined
  }

  /** It is our turn until the transaction ends: no other writer changes the deal meanwhile. */
  function underLock(
    resource: Resource,
    asked: readonly IdentifiedIntent[],
    decide: (rows: Awaited<ReturnType<Session['query']>>) => BatchDecision,
    writeId: string,
    lost: ReadonlyMap<string, BatchDecision>,
  ): Promise<BatchDecision | undefined> {
    const values = factsValues(
      resource,
      asked.map(({ intent }) => intent),
    )
    return connections.transaction(async (connection) => {
      try {
        // The facts are read by a statement of their own: it sees what was committed while the turn was waited for.
        const [, , found, rows] = await Promise.all([
          connection.query(BEGIN),
          connection.query(awaitTurn, [String(values[0] ?? asked[0]?.newId)]),
          connection.query(FIND_WRITES, [String(values[0] ?? asked[0]?.newId), [...lost.keys()]]),
          connection.query(factsStatement(resource), values),
        ])
        const kept = lost.get(String(found[0]?.[0]))
        const decided = kept ?? decide(rows)
        const write = kept === undefined ? writeOf(resource, decided, writeId) : undefined
        if (write === undefined) {
          await connection.query(COMMIT)
          return decided
        }
        const [written] = await Promise.all([connection.query(write.statement, write.values), connection.query(COMMIT)])
        return isWritten(written) ? decided : undefined
      } catch (cause) {
        await connection.query(ROLLBACK).catch(() => {})
        throw cause
      }
    })
  }

  /** Returns when the database answers again; until then nobody knows what became of the write. */
  async function recovered(cause: ConnectionLost): Promise<void> {
    for (const since = performance.now(); performance.now() - since < LONGEST_RECOVERY; await pause(50)) {
      const answers = await connections.transaction((connection) => connection.query(ALIVE)).catch(() => undefined)
      if (answers !== undefined) return
    }
    throw cause
  }

  /** A decided command gives its first outcome again. */
  async function replay(
    command: Extract<BatchDecision['answers'][number], { readonly replay: unknown }>['replay'],
    fresh: ReadonlyMap<string, StoredEvent>,
  ): Promise<Outcome> {
    if (command.refusal !== null) return { kind: 'refused', refusal: command.refusal, replayed: true }
    const { id, subject, revision } = command
    const resource = resourceNamed(command.resource)
    const removed = isRemoval(command.action)
    const event = fresh.get(`${subject} ${revision}`) ?? (await findEvent(subject, revision))
    if (event !== undefined) {
      return { kind: 'applied', thing: storedAfter(resource, subject, event), removed, event, command, replayed: true }
    }
    const [row] = await connections.read(COMMAND_DOC, [id])
    if (typeof row?.[0] !== 'string') throw new Error(`command ${id} has no event ${revision}`)
    const thing = storedThing(resource, JSON.parse(row[0]), row[0])
    return { kind: 'applied', thing, removed, event, command, replayed: true }
  }
}

const BEGIN = { text: 'BEGIN' }
const COMMIT = { text: 'COMMIT' }
const ROLLBACK = { text: 'ROLLBACK' }
const ALIVE = { text: 'SELECT 1' }
const FIND_WRITES = {
  name: 'find-writes',
  text: 'SELECT write_id::text FROM events WHERE subject = $1 AND write_id = ANY ($2::uuid[]) LIMIT 1',
}

const COMMAND_DOC = statementIn(postgres, findCommandDoc)

const isWritten = (rows: readonly (readonly unknown[])[]): boolean => rows[0]?.[0] === 1

/** What intents that must be decided one after the other have in common. */
export const turnOf = (intent: Intent): string =>
  `${intent.resource} ${targetSought(intent) ?? intent.command?.id ?? randomUUID()}`
