import type { ServerResponse } from 'node:http'
import type { HeldAnswers } from '../../monitoring/held-answers.ts'
import { answerBounds } from '../../values/bounds.ts'
import { type JsonTexts, sizeOf } from '../../values/json/texts.ts'
import { BeyondBudget, type Problem, unavailable } from '../contract/problems/problem.ts'
import type { AnswerBudget } from '../contract/service-parts.ts'

/** Never refused because of other answers: the requests in flight bound it. */
const LITTLE = 2 ** 16

/**
 * The limits of one request's reads, memory and answer. Memory counts until the answer is sent, even if the client is
 * slow. Beyond the limits a read is abandoned, like a search that costs too much. decisions/0024
 */
export class RequestBudget implements AnswerBudget {
  readonly #answers: HeldAnswers
  readonly #response: ServerResponse
  #isBatch = false
  #things = 0
  #read = 0
  #answered = 0
  #held = 0
  #pages: JsonTexts[] | undefined

  constructor(answers: HeldAnswers, response: ServerResponse) {
    this.#answers = answers
    this.#response = response
  }

  /** Many reads are answered together: those beyond the limits are refused separately. */
  openBatch(): void {
    this.#isBatch = true
  }

  /** Called before at most this many things are read. */
  beforeReading(things: number): void {
    if (this.#isBatch && this.#things + things > answerBounds.things) throw new BeyondBudget(tooMany)
    if (this.#read > answerBounds.read) throw new BeyondBudget(this.#isBatch ? tooLong : tooLarge)
  }

  /** The texts that were read, which are held until the answer is sent. */
  hold(texts: JsonTexts): void {
    const beyond = this.#count(texts)
    if (beyond === undefined) return this.#keep(texts)
    texts.release?.()
    throw new BeyondBudget(beyond)
  }

  /** Counts the answer of a part of a batch; returns the reason if it is too large. */
  answer(bytes: number): Problem | undefined {
    if (this.#answered + bytes > answerBounds.answered) return tooLong
    this.#answered += bytes
    return undefined
  }

  /** The texts are now part of the answer: their memory is released before it is sent. */
  release(): void {
    for (const texts of this.#pages?.splice(0) ?? []) texts.release?.()
  }

  /** Left to the garbage collector, the memory of a few long pages would be in use at once. */
  #keep(texts: JsonTexts): void {
    if (texts.release === undefined) return
    // If the client leaves early, reads may still be in progress.
    if (this.#pages === undefined) this.#response.once('finish', () => this.release())
    this.#pages ??= []
    this.#pages.push(texts)
  }

  /** Why it is too much, if it is. */
  #count(texts: JsonTexts): Problem | undefined {
    this.#things += texts.length
    if (this.#isBatch && this.#things > answerBounds.things) return tooMany
    this.#read += bytesOf(texts)
    if (this.#read > answerBounds.read) return this.#isBatch ? tooLong : tooLarge
    return this.#read <= LITTLE || this.#take(this.#read - this.#held) ? undefined : tooBusy
  }

  #take(bytes: number): boolean {
    if (this.#response.destroyed) return true
    if (!this.#answers.take(bytes)) return false
    if (this.#held === 0) this.#response.once('close', () => this.#answers.free(this.#held))
    this.#held += bytes
    return true
  }
}

function bytesOf(texts: JsonTexts): number {
  const size = sizeOf(texts)
  if (texts.size !== undefined || size <= LITTLE) return size
  let bytes = 0
  for (const text of texts) bytes += Buffer.byteLength(text)
  return bytes
}

const tooMany: Problem = {
  code: 'query-too-large',
  detail: `The answers of one batch have at most ${answerBounds.things / 1000},000 things together.`,
}

const tooLong: Problem = {
  code: 'query-too-large',
  detail: `The answers of one batch have at most ${answerBounds.answered / 1e6} MB together.`,
}

const tooLarge: Problem = {
  code: 'query-too-large',
  detail: `The answer would have more than ${answerBounds.read / 2 ** 20} MiB; ask for fewer things at once, or for fewer of their members.`,
}

const tooBusy: Problem = unavailable('capacity', 'Too many large answers are being sent', 1)
