import { type Problem, unavailable } from '../../http/contract/problems/problem.ts'
import { partProblem } from '../../http/respond/problems/store-problem.ts'
import { inTurns } from '../../store/port/take-turns.ts'
import { PackedTexts, TextPacker } from '../../values/json/texts.ts'
import type { DoorCall } from '../door.ts'

interface PartAnswers<T> {
  readonly bytesOf: (answer: T) => number
  readonly refuse: (problem: Problem) => T
}

/**
 * Answers a reading part of a batch: it counts as a request, and all answers together are bounded. A part beyond the
 * bound is refused, as is one that fails; the others are answered nevertheless. decisions/0024
 */
export async function readPart<T>(
  read: () => Promise<T>,
  { bytesOf, refuse }: PartAnswers<T>,
  call: DoorCall,
): Promise<T> {
  const problem = call.peer.left.aborted ? nobody : call.countPart()
  if (problem !== undefined) return refuse(problem)
  const answer = await changePart(read, refuse, call)
  call.budget.release()
  const beyond = call.budget.answer(bytesOf(answer))
  return beyond === undefined ? answer : refuse(beyond)
}

const nobody: Problem = unavailable('service', 'Nobody waits for the answer', 1)

/** The same for a part that changes something: however long its answer is, it is sent. */
export async function changePart<T>(
  change: () => Promise<T>,
  refuse: (problem: Problem) => T,
  { instance, service }: DoorCall,
): Promise<T> {
  try {
    return await change()
  } catch (cause) {
    return refuse(partProblem(cause, instance, service.log))
  }
}

/** Keeps a long answer as bytes, because a part of a batch is counted before it is sent. */
export async function packed(texts: AsyncIterable<string>): Promise<PackedTexts> {
  const packer = new TextPacker()
  for await (const text of texts) packer.add(text)
  return PackedTexts.all(packer.end())
}

/** The answer of one part of a batch: texts, of which a long one is kept as bytes. */
export type PartTexts = readonly (string | PackedTexts)[]

interface ListSigns {
  readonly start: string
  readonly end: string
  readonly between?: string
}

/** A list that is sent while its items are still being computed; undefined if there are none. */
export async function listInParts(
  items: AsyncGenerator<PartTexts>,
  around: ListSigns,
): Promise<AsyncGenerator<string> | undefined> {
  const first = await items.next()
  return first.done ? undefined : joined(first, items, around)
}

async function* joined(
  first: IteratorResult<PartTexts, unknown>,
  items: AsyncGenerator<PartTexts>,
  { start, end, between = ',' }: ListSigns,
): AsyncGenerator<string> {
  let next = first
  let before = start
  try {
    for (; !next.done; next = await items.next()) {
      yield before
      for (const piece of next.value) yield* written(piece)
      before = between
    }
    yield end
  } finally {
    // If the client leaves, reads for it end, but its changes are made.
    while (!next.done) next = await items.next()
  }
}

async function* written(piece: string | PackedTexts): AsyncGenerator<string> {
  if (typeof piece === 'string') yield piece
  else {
    yield* inTurns(piece)
    piece.release()
  }
}
