import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { type IntentBatch, inOrder, type NotTried } from '../../../model/intent/batch.ts'
import type { DecisionFacts, Intent } from '../../../model/intent/intent.ts'
import { idSought, isUpsert } from '../../../model/intent/unique-values.ts'
import { buildSchema, sourceOf } from '../../../model/schema/build-schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { sourceAfter } from '../../../model/schema/stored-model.ts'
import { queryFaults } from '../../../queries/parse/saved-query.ts'
import { callersFields, meets } from '../../../queries/parse/sight.ts'
import type { Outcome } from '../../port/store.ts'
import type { EventRow } from '../../rows/event.ts'
import type { FactsOf } from '../facts/known-facts.ts'
import { DecidedThings } from './decided-things.ts'
import { type ChangedThing, type DecidedIntent, type Decision, decide, type Replay } from './decision.ts'
import { BatchOutdated } from './outdated.ts'

/** The settings of decisions. */
export interface DecidingSettings {
  readonly schema: Schema
  readonly defaults: { readonly currency: string }
  /** Since when the schema is used, or the time of the last event before, if that is later. */
  readonly opened: string
}

/** Where the ids of things come from that a batch makes or is about. */
export interface Subjects {
  /** The id of the thing that an intent may make. */
  newId(index: number, resource: Resource): Key
  /** Throws `BatchOutdated` if an intent is about another thing than was expected. */
  readonly require?: (index: number, subject: Key | undefined) => void
}

/** The decision of a batch. */
export interface BatchDecision {
  readonly isKept: boolean
  readonly answers: readonly (Outcome | NotTried | Replay)[]
  readonly events: readonly EventRow[]
  /** The schema that it leaves, if it is kept. */
  readonly schema: Schema
}

/** A batch while its intents are decided, one after the other, by the schema that the earlier ones have left. */
export class Deciding {
  readonly #batch: IntentBatch
  readonly #subjects: Subjects
  readonly #settings: DecidingSettings
  readonly #order: ReturnType<typeof inOrder<Outcome | Replay>>
  readonly #answers: BatchDecision['answers'][number][] = []
  readonly #events: EventRow[] = []
  #schema: Schema
  #opened: string
  #facts: FactsOf = () => undefined
  #now = ''
  #decided = new DecidedThings()

  constructor(batch: IntentBatch, subjects: Subjects, settings: DecidingSettings) {
    this.#batch = batch
    this.#subjects = subjects
    this.#settings = settings
    this.#schema = settings.schema
    this.#opened = settings.opened
    this.#order = inOrder(batch, settings.schema, (intent, index) => this.#decide(intent, index), thingLeft)
  }

  /** Decides the intents from one index to another by facts, at a time. */
  decide(from: number, to: number, facts: FactsOf, now: string): void {
    this.#facts = facts
    this.#now = now
    this.#decided = new DecidedThings()
    for (const intent of this.#batch.intents.slice(from, to)) this.#answers.push(this.#order.decide(intent))
    this.#events.push(...this.#decided.events)
  }

  /** The decisions by the last facts. */
  get decided(): DecidedThings {
    return this.#decided
  }

  get schema(): Schema {
    return this.#schema
  }

  get opened(): string {
    return this.#opened
  }

  get isKept(): boolean {
    return this.#order.isKept()
  }

  get decision(): BatchDecision {
    return { isKept: this.isKept, answers: this.#answers, events: this.#events, schema: this.#schema }
  }

  #decide(intent: Intent, index: number): Outcome | Replay {
    const { newId, require } = this.#subjects
    const resource: Resource = resourceNamed(this.#schema, intent.resource)
    const { target, decided } = this.#decideOne(intent, resource, () => newId(index, resource))
    const { answer } = decided
    // It creates its thing after all. A replay creates none.
    if (target === undefined && isUpsert(intent) && !('replay' in answer)) require?.(index, undefined)
    const found = 'kind' in answer && answer.kind === 'refused' ? target : thingLeft(answer)
    // Neither its lock is ours nor its facts are known, and a later intent that names it would look for the other.
    if (found !== undefined) require?.(index, found)
    this.#take(decided)
    return answer
  }

  #decideOne(intent: Intent, resource: Resource, newId: () => Key) {
    const known = this.#facts(resource)
    if (known === undefined) throw new BatchOutdated()
    const left = this.#decided
    const target = idSought(intent, resource, (...value) =>
      known.told({ intent, resource, target: undefined }, left).idBy(...value),
    )
    const before = target === undefined ? undefined : left.before(resource.name, target, known.thing)
    const told = known.told({ intent, resource, target }, left)
    const facts: DecisionFacts = {
      ...told,
      known: told,
      resource,
      thing: before?.thing,
      previousAt: before?.previousAt,
      command: intent.command && (left.command(intent.command.id) ?? known.command(intent.command.id)),
      queryFaults: queryFaults(this.#schema),
      meets,
      callersFields,
      now: this.#now,
      newId,
      defaults: this.#settings.defaults,
    }
    return { target, decided: decide(intent, before, facts, this.#opened) }
  }

  /** Adds a decision and those that it entails. */
  #take({ decision, entails }: DecidedIntent): void {
    this.#decided.add(decision)
    if (decision.after === undefined) return
    this.#use(decision, decision.after)
    for (const intent of entails) {
      const { decided } = this.#decideOne(intent, resourceNamed(this.#schema, intent.resource), noId)
      if (decided.decision.after === undefined) throw new Error('a change that another entails was refused')
      this.#take(decided)
    }
  }

  /** A change of the model holds from the next intent on: things that changed before may have other members. */
  #use({ resource }: Decision, { thing, removed }: ChangedThing): void {
    if (resource.shapes === undefined) return
    const source = sourceOf(resource.schema)
    this.#schema = buildSchema(sourceAfter(source, resource, thing, removed, thing.updatedAt))
    if (this.#now > this.#opened) this.#opened = this.#now
  }
}

const noId = (): never => {
  throw new Error('a change that another entails creates nothing')
}

/** The thing that an answer leaves; undefined if it is a refusal. */
function thingLeft(answer: Outcome | Replay): Key | undefined {
  if ('replay' in answer) return answer.replay.refusal === null ? answer.replay.subject : undefined
  return answer.kind === 'applied' ? answer.thing.id : undefined
}
