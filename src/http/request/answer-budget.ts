import type { ServerResponse } from 'node:http'
import type { HeldAnswers } from '../../monitoring/held-answers.ts'
import { type JsonTexts, sizeOf } from '../../values/json/texts.ts'
import { BeyondBudget, type Problem, unavailable } from '../contract/problems/problem.ts'
import type { AnswerBudget } from '../contract/service-parts.ts'

/** What the answers of one batch may have together. */
export const MOST_THINGS = 10_000
export const MOST_ANSWERED = 16_000_000
/** What may be read for one request, in bytes: more than the largest page has. */
const MOST_READ = 32 * 2 ** 20
/** So much is never refused for what other answers hold: the requests in flight bound it. */
const LITTLE = 2 ** 16

/**
 * What one request may read, hold in memory and answer. What it read counts until its answer is sent, also where the
 * client is slow to read it. Beyond it a read is given up, wherever it is, as a search is that costs too much.
 * decisions/0024
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

  /** Many reads are answered together: those that are too much are refused each for itself. */
  openBatch(): void {
    this.#isBatch = true
  }

  /** Before at most so many things are read. */
  beforeReading(things: number): void {
    if (this.#isBatch && this.#things + things > MOST_THINGS) throw new BeyondBudget(tooMany)
    if (this.#read > MOST_READ) throw new BeyondBudget(this.#isBatch ? tooLong : tooLarge)
  }

  /** What was read, and is held until the answer is sent. */
  hold(texts: JsonTexts): void {
    const beyond = this.#count(texts)
    if (beyond === undefined) return this.#keep(texts)
    texts.release?.()
    throw new BeyondBudget(beyond)
  }

  /** What a part of a batch answers; the reason why it cannot be answered. */
  answer(bytes: number): Problem | undefined {
    if (this.#answered + bytes > MOST_ANSWERED) return tooLong
    this.#answered += bytes
    return undefined
  }

  /** What was read is in the answer by now: its memory is given back before that is sent. */
  release(): void {
    for (const texts of this.#pages?.splice(0) ?? []) texts.release?.()
  }

  /** Left to the garbage collector, the memory of a few long pages would be used at once. */
  #keep(texts: JsonTexts): void {
    if (texts.release === undefined) return
    // Whoever leaves early may be waited for by what still reads them.
    if (this.#pages === undefined) this.#response.once('finish', () => this.release())
    this.#pages ??= []
    this.#pages.push(texts)
  }

  /** Why it is too much, if it is. */
  #count(texts: JsonTexts): Problem | undefined {
    this.#things += texts.length
    if (this.#isBatch && this.#things > MOST_THINGS) return tooMany
    this.#read += bytesOf(texts)
    if (this.#read > MOST_READ) return this.#isBatch ? tooLong : tooLarge
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
  detail: `The answers of one batch have at most ${MOST_THINGS / 1000},000 things together.`,
}

const tooLong: Problem = {
  code: 'query-too-large',
  detail: `The answers of one batch have at most ${MOST_ANSWERED / 1e6} MB together.`,
}

const tooLarge: Problem = {
  code: 'query-too-large',
  detail: `The answer would have more than ${MOST_READ / 2 ** 20} MiB; ask for fewer things at once, or for fewer of their members.`,
}

const tooBusy: Problem = unavailable('capacity', 'Too many large answers are being sent', 1)
