import type { Key } from '../../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../../model/declaration/schema.ts'
import { type IntentBatch, inOrder } from '../../../../model/intent/batch.ts'
import type { Intent } from '../../../../model/intent/intent.ts'
import { wouldRemove } from '../../../../model/intent/look-ahead.ts'
import { isUpsert, targetSought, uniqueValuesIn, valueNamed } from '../../../../model/intent/unique-values.ts'
import {
  holdersOf,
  operationNamed,
  referencedFirst,
  referrersOf,
  resourceNamed,
} from '../../../../model/schema/resources.ts'
import { isObject } from '../../../../values/json/is-object.ts'
import { isNumbered, NO_NUMBER } from '../../../rows/things.ts'
import type { Concerned } from '../../../transactions/facts/fact.ts'
import { readIds } from '../../../transactions/facts/id-by.ts'
import { readCommands } from '../../../transactions/facts/known-facts.ts'
import { together, type Work } from '../../../transactions/work.ts'
import type { Part } from '../../../transactions/write/decide-batch.ts'
import type { Subjects } from '../../../transactions/write/deciding.ts'
import { BatchOutdated } from '../../../transactions/write/outdated.ts'
import { postgres } from '../../sql/dialect.ts'
import { newIds } from '../new-ids.ts'
import { thingReader } from '../thing-reader.ts'
import { nameOf, valueNames } from '../try-turns.ts'

// The things that a batch is expected to touch, whichever way it names them: their locks are taken before anything is
// decided, and facts are read of them alone. Where a decision is about another thing, the batch is tried again.

/** An intent as it will be decided, unless it is refused. */
export interface ExpectedIntent {
  readonly intent: Intent
  readonly resource: Resource
  /** The id of its thing; undefined if no thing can have it. */
  readonly subject: Key | undefined
}

export type ExpectedIntents = readonly (ExpectedIntent | undefined)[]

/** The things of a batch, as its attempts have found them, by the indexes of its intents. */
export interface KnownSubjects {
  /** The ids of the things that it may create: the same at each attempt, once they are drawn. */
  readonly newIds: Map<number, Key>
  /** The things that intents turned out to be about; undefined for the one that an intent creates. */
  readonly found: Map<number, Key | undefined>
}

/** A creation under a known command id, or under that of an earlier intent, is expected to return its thing again. */
export function* expectedIn(batch: IntentBatch, known: KnownSubjects, schema: Schema): Work<ExpectedIntents> {
  const [commands, named] = yield* together([knownCreations(batch, schema), namedIn(batch, schema)])
  const { expected, lacking } = expectIn(batch, known, schema, commands, named)
  if (lacking.size === 0) return expected
  for (const [resource, indexes] of lacking) {
    // A dry run takes no numbers, so that none are skipped.
    const isShown = batch.dryRun && isNumbered(resource)
    const ids = isShown ? [] : yield* newIds(resource, indexes.length)
    for (const [at, index] of indexes.entries()) known.newIds.set(index, ids[at] ?? Number.MAX_SAFE_INTEGER - index)
  }
  return expectIn(batch, known, schema, commands, named).expected
}

/** Each intent by what the earlier ones leave, if they do what they ask. */
function expectIn(
  batch: IntentBatch,
  { newIds, found }: KnownSubjects,
  schema: Schema,
  commands: ReadonlyMap<string, Key>,
  named: ReadonlyMap<string, Key>,
) {
  const made = new Map<string, Key>(commands)
  const names = new Map(named)
  const lacking = new Map<Resource, number[]>()
  const newIdAt = (resource: Resource, index: number): Key => {
    const id = newIds.get(index)
    if (id === undefined) lacking.set(resource, [...(lacking.get(resource) ?? []), index])
    return id ?? NO_NUMBER
  }
  const subjectOf = (intent: Intent, resource: Resource, index: number): Key | undefined => {
    if (found.has(index)) return found.get(index) ?? newIdAt(resource, index)
    const { target, command } = intent
    const value = isObject(target) ? valueNamed(intent, resource) : undefined
    const named = value && names.get(nameOf(resource, value))
    if (!mayCreate(intent)) return isObject(target) ? named : targetSought(intent, resource)
    if (command === undefined) return named ?? newIdAt(resource, index)
    const earlier = `${resource.name} ${command.id}`
    const subject = made.get(earlier) ?? named ?? newIdAt(resource, index)
    made.set(earlier, subject)
    return subject
  }
  const { decide } = inOrder(
    { ...batch, atomic: false, dryRun: false },
    schema,
    (intent, index): ExpectedIntent => {
      const resource: Resource = resourceNamed(schema, intent.resource)
      const subject = subjectOf(intent, resource, index)
      if (subject !== undefined && names.size > 0) rename(names, intent, resource, subject)
      return { intent, resource, subject }
    },
    ({ subject }) => subject,
  )
  const expected = batch.intents.map((intent) => {
    const answer = decide(intent)
    return 'intent' in answer ? answer : undefined
  })
  return { expected, lacking }
}

const mayCreate = (intent: Intent): boolean => intent.target === undefined || isUpsert(intent)

/** The things that creations under known command ids have made, by resource and command. */
function* knownCreations({ intents }: IntentBatch, schema: Schema): Work<ReadonlyMap<string, Key>> {
  const ids = intents.flatMap((intent) =>
    intent !== 'refused' && mayCreate(intent) && intent.command !== undefined ? [intent.command.id] : [],
  )
  const commandOf = yield* readCommands(postgres, schema, ids)
  const commands = ids.flatMap((id) => commandOf(id) ?? [])
  return new Map(commands.map(({ resource, id, subject }) => [`${resource} ${id}`, subject]))
}

/** The things that the unique values of targets name now. */
function* namedIn({ intents }: IntentBatch, schema: Schema): Work<ReadonlyMap<string, Key>> {
  const those = intents.filter((intent) => intent !== 'refused' && isObject(intent.target)) as readonly Intent[]
  const byResource = Map.groupBy(those, ({ resource }): Resource => resourceNamed(schema, resource))
  const named = [...byResource].map(([resource, some]) => ({
    resource,
    values: some.flatMap((intent) => valueNamed(intent, resource) ?? []),
  }))
  const ids = yield* together(named.map(({ resource, values }) => readIds({ things: thingReader, resource }, values)))
  return new Map(
    named.flatMap(({ resource, values }, at) =>
      values.flatMap((value): [string, Key][] => {
        const id = ids[at]?.(value)
        return id === undefined ? [] : [[nameOf(resource, value), id]]
      }),
    ),
  )
}

/** The things that values name after an intent. */
function rename(names: Map<string, Key>, intent: Intent, resource: Resource, subject: Key): void {
  const { change } = intent
  const isRemoved = 'action' in change && operationNamed(change.action, resource)?.removes === true
  const values = uniqueValuesIn(isUpsert(intent) ? intent : { ...intent, target: undefined }, resource)
  for (const [name, id] of names) {
    const isLost = values.some(({ field }) => name.startsWith(nameOf(resource, { field, value: '' })))
    if (id === subject && name.startsWith(`${resource.name}.`) && (isRemoved || isLost)) names.delete(name)
  }
  for (const value of values) names.set(nameOf(resource, value), subject)
}

/** Each once. Referenced things come first, as in a removal that affects referring ones; unique values come last. */
export function subjectsOf(expected: ExpectedIntents, schema: Schema): readonly string[] {
  const of = (resource: Resource) => expected.filter((each) => each?.resource === resource) as readonly ExpectedIntent[]
  const subjects = referencedFirst(schema).flatMap((resource) =>
    [...new Set(of(resource).flatMap(({ subject }) => (subject === undefined ? [] : [String(subject)])))].sort(),
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
export function partsOf(expected: ExpectedIntents): readonly Part[] {
  // With a field that is added by the same batch, anything may name anything.
  const isNamed = expected.some(changesModel)
    ? removes
    : (each: ExpectedIntent | undefined) => removes(each) && holdersOf(each.resource).length > 0
  const alone = expected.flatMap((each, at) =>
    changesModel(each) || concernsOthers(each) || isNamed(each) ? [at, at + 1] : [],
  )
  const bounds = [...new Set([0, ...alone, expected.length])]
  return bounds.slice(1).map((to, at) => {
    const from = bounds[at] ?? 0
    return { from, to, asked: expected.slice(from, to).flatMap((each) => (each === undefined ? [] : concerned(each))) }
  })
}

const concerned = ({ intent, resource, subject }: ExpectedIntent): Concerned => ({
  intent,
  resource,
  target: intent.target === undefined ? undefined : subject,
})

/** The batch is outdated by an intent about another thing: neither its lock is ours nor its facts are known. */
export const expectedSubjects = (expected: ExpectedIntents, { newIds }: KnownSubjects): Subjects => ({
  newId: (index) => newIds.get(index) ?? expected[index]?.subject ?? '',
  require(index, subject) {
    const isExpected = subject === undefined ? newIds.has(index) : subject === expected[index]?.subject
    if (!isExpected) throw new BatchOutdated({ index, subject })
  },
})
