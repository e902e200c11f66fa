import type { IntentBatch } from '../../model/intent/batch.ts'
import { mayEver } from '../../model/intent/caller.ts'
import type { Intent } from '../../model/intent/intent.ts'
import { thingsNamed } from '../../model/intent/look-ahead.ts'
import { operationNamed, resourceNamed } from '../../model/schema/resources.ts'
import type { Outcome, Preparation, Store } from '../../store/port/store.ts'
import type { Call } from '../contract/endpoint.ts'
import { neverAllowed } from '../contract/problems/not-granted.ts'
import type { Problem, RefusedCall } from '../contract/problems/problem.ts'
import { refusalProblem } from '../contract/problems/refusals.ts'
import type { Applied, Around, Decided, Undecided, Write, WriteOutcome, WriteOutcomes } from '../contract/write.ts'
import { newIdProblem } from '../request/command-id.ts'
import { withoutDrafts } from './drafts.ts'
import { intentOf } from './intent.ts'
import { asSeen } from './sight.ts'

/** The caller, the form or door, and the options outside the content. */
export interface WriteCall extends Pick<Call, 'actor' | 'role' | 'caller' | 'desk' | 'schema' | 'service'> {
  readonly form: string
  readonly around: Around
}

/** Performs a write in any form, after what it needs from outside its transaction is prepared. */
export async function write(asked: Write, asking: WriteCall): Promise<Decided | RefusedCall> {
  const done = await perform([asked], { atomic: false, linked: false }, [asked.around ?? asking.around], asking)
  if ('problem' in done) return done
  const [only] = done.written
  if (only === undefined || 'notTried' in only) throw new Error('a write was not answered')
  return 'preparation' in only ? writePrepared(asked, only.preparation, asking) : only
}

async function writePrepared(
  asked: Write,
  preparation: Preparation,
  asking: WriteCall,
): Promise<Decided | RefusedCall> {
  const { prepare, ...rest } = asked
  if (prepare === undefined) throw new Error(`nothing is prepared for a ${asked.resource}`)
  const made = await prepare(preparation)
  if ('problem' in made) return made
  const decided = await write({ ...rest, prepared: made.prepared ?? null }, asking)
  return 'problem' in decided ? decided : { ...decided, secret: made.secret }
}

/**
 * Performs several writes in one commit. One with a problem keeps its index: it is a refusal, and writes that refer to
 * its thing are not tried. `from` is the index of the first, if they are part of more.
 */
export async function writeTogether(
  asked: readonly (Write | RefusedCall)[],
  { atomic, from = 0 }: { readonly atomic: boolean; readonly from?: number },
  asking: WriteCall,
): Promise<WriteOutcomes | RefusedCall> {
  const arounds = asked.map((each, index) =>
    'problem' in each ? undefined : (each.around ?? { ...asking.around, among: from + index }),
  )
  const done = await perform(asked, { atomic, linked: true }, arounds, asking)
  if ('problem' in done) return done
  const written = done.written.filter((each): each is WriteOutcome => !('preparation' in each))
  if (written.length < done.written.length) throw new Error('what is prepared outside is written alone')
  return { ...done, written }
}

/** With the things that it names and the caller does not see. */
async function withUnseen(intent: Intent, { desk, schema }: WriteCall): Promise<Intent> {
  if (desk.caller?.own === undefined) return intent
  const named = thingsNamed(intent, resourceNamed(schema, intent.resource))
  const found = await Promise.all(named.map(({ resource, id }) => desk.find(resourceNamed(schema, resource), id)))
  const unseen = named.flatMap(({ resource, id }, at) => (found[at] === undefined ? [`${resource} ${id}`] : []))
  return unseen.length === 0 ? intent : { ...intent, unseen }
}

/** A write that is prepared outside its transaction is not decided yet. */
interface Tried extends Omit<WriteOutcomes, 'written'> {
  readonly written: readonly (WriteOutcome | Undecided)[]
}

/** Reads the write → role → command id → decision and commit → result of a dry run. */
async function perform(
  asked: readonly (Write | RefusedCall)[],
  how: Pick<IntentBatch, 'atomic' | 'linked'>,
  arounds: readonly (Around | undefined)[],
  asking: WriteCall,
): Promise<Tried | RefusedCall> {
  const { store } = asking.service
  const checked: (Intent | RefusedCall)[] = []
  for (const [index, each] of asked.entries()) {
    const read = 'problem' in each ? each : intentOf(each, arounds[index] ?? asking.around, asking)
    const problem =
      'problem' in read
        ? undefined
        : (forbids(read, asking) ?? (read.command && (await newIdProblem(read.command, store))))
    checked.push(problem !== undefined ? { problem } : 'problem' in read ? read : await withUnseen(read, asking))
  }
  const intents = checked.filter((each): each is Intent => !('problem' in each))
  const [first] = intents
  if (first === undefined) return { isKept: false, written: checked as readonly RefusedCall[] }
  const { dryRun } = first
  if (intents.some((each) => each.dryRun !== dryRun)) return { problem: MIXED }
  const batch = { ...how, intents: checked.map((each) => ('problem' in each ? 'refused' : each)), dryRun }
  const { isKept, outcomes } = await performCaughtUp(batch, store)
  const decided = checked.map((each, index): WriteOutcome | Undecided => {
    const outcome = outcomes[index]
    if (outcome === undefined) throw new Error('a write was not answered')
    if ('problem' in each) return each
    if (outcome.kind === 'not-tried') return { notTried: outcome.because }
    if (outcome.kind === 'prepare') return { preparation: outcome }
    return { intent: each, outcome, isDraft: false }
  })
  const written = await inSightOf(asking, decided)
  // Nothing of a dry run or of an undone batch exists.
  return { isKept, written: dryRun || !isKept ? withoutDrafts(written, asking.schema) : written }
}

/** As the caller sees it now: with roles that admins made, not everything that was decided. */
async function inSightOf(
  { service: { store }, desk: { caller } }: WriteCall,
  written: readonly (WriteOutcome | Undecided)[],
): Promise<readonly (WriteOutcome | Undecided)[]> {
  if (caller === undefined || store.schemas.current.holders.length === 0) return written
  const desk = store.as(caller)
  if (desk.caller?.own === undefined) return written
  return Promise.all(written.map(async (each) => ('outcome' in each ? asSeen(each, desk) : each)))
}

/** A value that names nothing because its field is being indexed names a thing if the stored model is a later one. */
async function performCaughtUp(batch: IntentBatch, store: Store): ReturnType<Store['perform']> {
  const { version } = store.schemas.current
  const done = await store.perform(batch)
  const isBuilding = done.outcomes.some((each) => each.kind === 'refused' && each.refusal.code === 'building')
  if (!isBuilding || done.outcomes.some(({ kind }) => kind === 'applied')) return done
  await store.schemas.catchUp()
  return store.schemas.current.version > version ? store.perform(batch) : done
}

/** Writes in one commit go together. */
export const MIXED: Problem = {
  code: 'malformed-request',
  detail: 'All of them are dry runs, or none: they go together.',
}

/** The operation may need a higher role than its address, whatever the thing and body. */
export function forbids(
  { resource: name, change }: Pick<Intent, 'resource' | 'change'>,
  asking: Pick<WriteCall, 'actor' | 'role' | 'caller' | 'schema'>,
): Problem | undefined {
  const resource = resourceNamed(asking.schema, name)
  const operation = 'action' in change ? operationNamed(change.action, resource) : undefined
  return mayEver(asking, resource, operation) ? undefined : neverAllowed(asking, resource, operation)
}

/** Performs a write; a refusal is a problem. */
export async function apply(asked: Write, asking: WriteCall): Promise<Applied | RefusedCall> {
  const written = await write(asked, asking)
  return 'problem' in written ? written : appliedOf(written, asking)
}

/** A refusal as a problem, which says whether it is a repeat. */
export function appliedOf(
  { intent, outcome, ...others }: Decided,
  { schema }: Pick<WriteCall, 'schema'>,
): Applied | RefusedCall {
  if (outcome.kind === 'applied') return { intent, outcome, ...others }
  const problem = refusalProblem(outcome.refusal, schema)
  return { problem: { ...problem, headers: { ...problem.headers, ...replayed(outcome) } } }
}

export const replayed = ({ replayed }: Pick<Outcome, 'replayed'>): { readonly [header: string]: string } =>
  replayed ? { 'idempotent-replayed': 'true' } : {}
