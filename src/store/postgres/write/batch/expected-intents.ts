import { type IntentBatch, inOrder } from '../../../../model/perform/batch.ts'
import { wouldRemove } from '../../../../model/perform/decide-change.ts'
import type { Intent } from '../../../../model/perform/intent.ts'
import { idSought, targetSought, valueNamed } from '../../../../model/perform/unique-values.ts'
import type { Key } from '../../../../model/resource.ts'
import { holdersOf, referencedFirst, referrersOf, resourceNamed } from '../../../../model/resources.ts'
import type { Resource, Schema } from '../../../../model/schema.ts'
import { isObject } from '../../../../values/members.ts'
import { readCommand } from '../../../rows/command.ts'
import type { Session } from '../../connect/connection.ts'
import { COMMANDS, readIds } from '../facts.ts'
import { valueNames } from '../try-turns.ts'

// The things that a batch is expected to touch: their locks are taken before anything is decided.

/** An intent as it will be decided, unless it is refused. */
export interface ExpectedIntent {
  readonly intent: Intent
  readonly resource: Resource
  /** The id of its thing; undefined if no thing can have it. */
  readonly subject: Key | undefined
  /** The id that its thing gets if a unique value names none. */
  readonly newId?: Key | undefined
}

/** A creation under a known command id, or under that of an earlier intent, is expected to return its thing again. */
export async function expectedIn(
  { query }: Session,
  batch: IntentBatch,
  newIds: readonly Key[],
  schema: Schema,
): Promise<readonly (ExpectedIntent | undefined)[]> {
  const ids = batch.intents.flatMap((intent) =>
    intent !== 'refused' && intent.target === undefined && intent.command !== undefined ? [intent.command.id] : [],
  )
  const rows = ids.length === 0 ? [] : await query(COMMANDS, [ids])
  const commands = rows.map((row) => readCommand(row, schema))
  const made = new Map<string, Key | undefined>(commands.map((each) => [`${each.resource} ${each.id}`, each.subject]))
  const idBy = await namedIn(query, batch, schema)
  const madeBy = (intent: Intent, index: number): Key | undefined => {
    if (intent.command === undefined) return newIds[index]
    const earlier = `${intent.resource} ${intent.command.id}`
    const subject = made.get(earlier) ?? newIds[index]
    made.set(earlier, subject)
    return subject
  }
  const { decide } = inOrder(
    { ...batch, atomic: false, dryRun: false },
    schema,
    (intent, index): ExpectedIntent => {
      const resource: Resource = resourceNamed(schema, intent.resource)
      // Also by a field that an earlier intent adds: which thing it names is known when that is decided.
      if (isObject(intent.target)) {
        const subject = idSought(intent, resource, (...value) => idBy.get(resource)?.(...value))
        return { intent, resource, subject: subject ?? newIds[index], newId: newIds[index] }
      }
      const subject = intent.target === undefined ? madeBy(intent, index) : targetSought(intent, resource)
      return { intent, resource, subject }
    },
    ({ subject }) => subject,
  )
  return batch.intents.map((intent) => {
    const answer = decide(intent)
    return 'intent' in answer ? answer : undefined
  })
}

/** The things that unique values name now. */
async function namedIn(query: Session['query'], { intents }: IntentBatch, schema: Schema) {
  const those = intents.filter((intent) => intent !== 'refused' && isObject(intent.target)) as readonly Intent[]
  const byResource = Map.groupBy(those, ({ resource }): Resource => resourceNamed(schema, resource))
  return new Map(
    await Promise.all(
      [...byResource].map(async ([resource, some]) => {
        const values = some.flatMap((intent) => valueNamed(intent, resource) ?? [])
        return [resource, await readIds(query, resource, values)] as const
      }),
    ),
  )
}

/** Each once. Referenced things come first, as in a removal that affects referring ones; unique values come last. */
export function subjectsOf(expected: readonly (ExpectedIntent | undefined)[], schema: Schema): readonly string[] {
  const of = (resource: Resource) => expected.filter((each) => each?.resource === resource) as readonly ExpectedIntent[]
  const subjects = referencedFirst(schema).flatMap((resource) =>
    [
      ...new Set(
        of(resource).flatMap(({ subject, newId = subject }) => [subject, newId].map((id) => String(id ?? ''))),
      ),
    ].sort(),
  )
  const values = schema.resources.flatMap((resource) =>
    valueNames(
      of(resource).map(({ intent }) => intent),
      resource,
    ),
  )
  return [...subjects, ...values.toSorted()]
}

const removes = (each: ExpectedIntent | undefined): each is ExpectedIntent =>
  each !== undefined && wouldRemove(each.intent, each.resource)

/** Whether it removes a thing that others may refer to. */
export const concernsOthers = (each: ExpectedIntent | undefined): each is ExpectedIntent =>
  removes(each) && referrersOf(each.resource).length > 0

/** Whether it changes the model, by which the later ones are decided. */
export const changesModel = (each: ExpectedIntent | undefined): boolean => each?.resource.shapes !== undefined

/**
 * The ranges of intents for which one read of facts holds. A change of the model, and a removal of what others may name,
 * have their own: it sees things and conditions as the earlier intents have left them.
 */
export function partsOf(expected: readonly (ExpectedIntent | undefined)[]): readonly (readonly [number, number])[] {
  // With a field that is added by the same batch, anything may name anything.
  const isNamed = expected.some(changesModel)
    ? removes
    : (each: ExpectedIntent | undefined) => removes(each) && holdersOf(each.resource).length > 0
  const alone = expected.flatMap((each, at) =>
    changesModel(each) || concernsOthers(each) || isNamed(each) ? [at, at + 1] : [],
  )
  const bounds = [...new Set([0, ...alone, expected.length])]
  return bounds.slice(1).map((to, at) => [bounds[at] ?? 0, to])
}
