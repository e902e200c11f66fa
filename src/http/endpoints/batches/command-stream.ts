import type { NotTried } from '../../../model/intent/batch.ts'
import { type NamedThing, resolveReferences } from '../../../model/intent/references.ts'
import { StoreUnavailable } from '../../../store/port/store.ts'
import { takeTurns } from '../../../store/port/take-turns.ts'
import { batchBounds, bodyBounds } from '../../../values/bounds.ts'
import type { Answer } from '../../contract/answer.ts'
import { type Call, type Endpoint, NDJSON } from '../../contract/endpoint.ts'
import { bare } from '../../contract/form.ts'
import { type Problem, type RefusedCall, unavailable } from '../../contract/problems/problem.ts'
import { refusalProblem } from '../../contract/problems/refusals.ts'
import { problemMembers } from '../../contract/problems/told-problem.ts'
import type { Around, Write, WriteOutcome } from '../../contract/write.ts'
import { admitAgain } from '../../gate/admit-again.ts'
import { deskFor } from '../../gate/gate.ts'
import { readJson } from '../../request/body.ts'
import { preferenceApplied, prefersMinimal } from '../../request/prefer.ts'
import { readAroundMany } from '../../write/intent.ts'
import { writeTogether } from '../../write/write.ts'
import { type IncomingLine, readLines } from './lines.ts'
import { readCommand } from './read-command.ts'
import { type CommandResult, resultOf } from './results.ts'
import { StreamEnded, withPatience } from './with-patience.ts'

const NEEDS = 'editor'

/** Any number of commands, in constant memory. decisions/0038 */
export const commandStream: Endpoint = {
  method: 'POST',
  path: '/rest/commands',
  role: NEEDS,
  summary: 'Send any number of commands as a stream',
  offers: 'content',
  types: [NDJSON, 'application/json', 'application/*'],
  parameters: ['dry-run'],
  reads: [NDJSON],
  describes: {
    group: 'Commands',
    takes: 'BatchCommand',
    answers: [
      {
        status: 200,
        shows: { content: NDJSON },
        headers: ['Dry-Run', 'Preference-Applied'],
        when: 'A line for each command, in order, as soon as it is durable; of a dry run when all have come.',
      },
    ],
    refuses: ['invalid-header'],
  },
  handle(call): Answer {
    const read = readAroundMany(call)
    if ('problem' in read) return read
    const { dryRun = false } = read.around
    return {
      lines: resultLines(call, { ...read.around, dryRun }),
      contentType: NDJSON,
      // Bytes that the client still sends after the answer has ended are not a request.
      headers: {
        connection: 'close',
        'x-accel-buffering': 'no',
        ...(dryRun && { 'dry-run': 'true' }),
        ...preferenceApplied(call),
      },
    }
  },
}

interface StreamedCommand {
  readonly index: number
  /** The number of its line, from 1. */
  readonly line: number
  readonly asked: Write | RefusedCall
}

async function* resultLines(call: Call, around: Around): AsyncGenerator<Buffer> {
  const { service, incoming } = call
  if (incoming === undefined) return
  const minimal = prefersMinimal(call)
  const perform = performer(around)
  const turn = takeTurns()
  let index = 0
  /** The first command that has no answer yet. */
  let next = { index: 0, line: 1 }
  const ended = (problem: Problem): Buffer =>
    textOf([{ ...next, status: 'not-tried', problem: problemMembers(problem, service.addresses) }])
  const arriving = readLines(withPatience(incoming, service.state), bodyBounds.bytes)
  const most = around.dryRun ? batchBounds.commands : batchBounds.together
  try {
    for await (const lines of around.dryRun ? gathered(arriving) : arriving) {
      for (let from = 0; from < lines.length; from += most) {
        // One chunk may have thousands of short lines, which are refused without waiting for anything.
        await turn()
        const some = lines
          .slice(from, from + most)
          .map(({ line, text }): StreamedCommand => ({ index: index++, line, asked: readLine(text, call) }))
        next = placeOf(some[0]) ?? next
        const admitted = await admitAgain(call, NEEDS)
        if ('problem' in admitted) throw new StreamEnded(admitted.problem)
        const desk = deskFor(admitted, service)
        const written = await perform(some, { ...call, ...admitted, desk, schema: desk.schema })
        yield textOf(
          written.map((each, at) => {
            const { index = 0, line = 0 } = some[at] ?? {}
            return { line, ...resultOf(each, index, call, minimal).result }
          }),
        )
      }
      next = { index, line: (lines.at(-1)?.line ?? 0) + 1 }
    }
  } catch (cause) {
    if (hasLeft(cause)) return
    if (cause instanceof StoreUnavailable) yield ended(unavailable('store', cause.message, cause.retryAfter))
    else if (cause instanceof StreamEnded) yield ended(cause.problem)
    else {
      service.log.error({ err: cause }, 'a defect in a stream of commands')
      yield ended({ code: 'internal-error', detail: 'An unexpected error occurred; it was logged.' })
    }
  }
}

/**
 * All lines at once: the decisions of a dry run are undone, so that only commands decided together see the earlier
 * ones. There are as many as in a batch; the stream ends before one more.
 */
async function* gathered(arriving: AsyncIterable<readonly IncomingLine[]>): AsyncGenerator<readonly IncomingLine[]> {
  const all: IncomingLine[] = []
  let size = 0
  for await (const lines of arriving) {
    for (const line of lines) {
      // A line that is too long is not stored.
      if (line.text !== 'too long') size += line.text.length
      if (all.length === batchBounds.commands || size > bodyBounds.bytes) {
        yield all
        throw new StreamEnded(tooManyToTry)
      }
      all.push(line)
    }
  }
  yield all
}

const tooManyToTry: Problem = {
  code: 'body-too-large',
  detail: `A dry run has at most ${batchBounds.commands} commands and ${bodyBounds.bytes} bytes.`,
}

const placeOf = (command: StreamedCommand | undefined) => command && { index: command.index, line: command.line }

/** Decides commands in order. References reach the things of the last thousand. */
function performer(around: Around) {
  const things = new Map<number, NamedThing | 'refused'>()
  return async (commands: readonly StreamedCommand[], call: Call): Promise<readonly WriteOutcome[]> => {
    const first = commands[0]?.index ?? 0
    const asked = commands.map(({ index, asked }): Write | RefusedCall | NotTried => {
      if ('problem' in asked) return asked
      const resolved = resolveReferences({ pointers: bare, ...asked }, call.schema, (place) => {
        if (place >= index) return undefined
        return place < first ? (things.get(place) ?? 'forgotten') : { resource: undefined, id: `$${place - first}` }
      })
      if ('refusal' in resolved) return { problem: refusalProblem(resolved.refusal, call.schema) }
      return 'because' in resolved ? { kind: 'not-tried', because: resolved.because } : resolved.intent
    })
    const sent = asked.map((each) => ('kind' in each ? { problem: NOWHERE } : each))
    const done = await writeTogether(sent, { atomic: false, from: first }, { ...call, around, form: 'stream' })
    if ('problem' in done) throw new StreamEnded(done.problem)
    return done.written.map((each, at): WriteOutcome => {
      const index = first + at
      const waiting = asked[at]
      const isApplied = 'outcome' in each && each.outcome.kind === 'applied'
      things.set(index, isApplied ? { resource: each.intent.resource, id: each.outcome.thing.id } : 'refused')
      things.delete(index - batchBounds.commands)
      if (waiting !== undefined && 'kind' in waiting) return { notTried: waiting.because }
      return 'notTried' in each ? { notTried: first + each.notTried } : each
    })
  }
}

function readLine(text: IncomingLine['text'], { schema }: Call): StreamedCommand['asked'] {
  if (text === 'too long') {
    return { problem: { code: 'body-too-large', detail: `The line has more than ${bodyBounds.bytes} bytes.` } }
  }
  const read = readJson(text)
  return 'problem' in read ? read : readCommand(read.body, '', schema)
}

/** The client has disconnected: nobody reads an answer. */
const hasLeft = (cause: unknown): boolean => (cause as { readonly code?: string } | null)?.code === 'ECONNRESET'

const textOf = (results: readonly (CommandResult | object)[]): Buffer =>
  Buffer.from(results.map((result) => `${JSON.stringify(result)}\n`).join(''))

/** Replaces a command that names the thing of a refused one. */
const NOWHERE: Problem = { code: 'not-found', detail: '' }
