import { mapInTurns } from '../../../store/port/take-turns.ts'
import { batchBounds } from '../../../values/bounds.ts'
import { type Fault, reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { NO_OBJECT, unknownMembers } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { invalidBody, type Problem } from '../../contract/problems/problem.ts'
import { detailOf } from '../../contract/problems/told-problem.ts'
import type { WriteSuccess } from '../../contract/success.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { readAroundMany } from '../../write/intent.ts'
import { writeTogether } from '../../write/write.ts'
import { readCommand } from './read-command.ts'
import { isApplied, isReplay, resultOf, type WrittenResult } from './results.ts'

const decided: WriteSuccess = {
  status: 200,
  shows: 'BatchResults',
  headers: [],
  when: 'What became of each command, in order.',
  foresees: 'BatchResults',
  isRepeatable: true,
}

/** Many commands in one commit. decisions/0038 */
export const batchEndpoint: Endpoint = {
  method: 'POST',
  path: '/rest/v1/batch',
  role: 'editor',
  summary: 'Send many commands at once',
  offers: 'resource',
  parameters: ['dry-run'],
  reads: ['application/json'],
  describes: {
    group: 'Commands',
    takes: 'Batch',
    answers: [decided],
    refuses: ['invalid-header', 'invalid-body', 'batch-refused'],
  },
  handle: performBatch,
}

async function performBatch(call: Call): Promise<Answer> {
  const read = readAroundMany(call)
  if ('problem' in read) return read
  const asked = readEnvelopeOfMany(call.body)
  if ('faults' in asked) return { problem: invalidBody(asked.faults) }
  const { atomic } = asked
  const { dryRun = false } = read.around
  const commands = asked.commands.map((raw, index) => readCommand(raw, `/commands/${index}`, call.schema))
  const done = await writeTogether(commands, { atomic }, { ...call, ...read, form: 'batch' })
  if ('problem' in done) return done
  const { written } = done
  const shown = await mapInTurns(written, (each, index) => resultOf(each, index, call))
  const refused = shown.filter(({ result }) => !isApplied(result))
  if (atomic && refused.length > 0) return { problem: batchRefused(refused, shown.length) }
  const isReplayed = written.length > 0 && written.every(isReplay)
  const answered = {
    dryRun,
    document: () => ({
      title: 'Results of the batch',
      kind: 'resource' as const,
      item: 'batch',
      json: JSON.stringify({ results: shown.map(({ result }) => result) }),
    }),
    headers: isReplayed ? { 'idempotent-replayed': 'true' } : {},
  }
  // A client that does not want the results still needs the refusals.
  const { prefer: _prefer, ...headers } = call.headers
  return answerWrite(decided, answered, refused.length === 0 ? call : { ...call, headers })
}

type EnvelopeOfMany =
  | { readonly atomic: boolean; readonly commands: readonly unknown[] }
  | { readonly faults: readonly Fault[] }

function readEnvelopeOfMany(body: unknown): EnvelopeOfMany {
  if (!isObject(body)) return { faults: [{ ...NO_OBJECT, at: { pointer: '' } }] }
  const { atomic = false, commands } = body
  const faults = [...unknownMembers(body, ['atomic', 'commands'])]
  if (typeof atomic !== 'boolean') faults.push({ ...reason('type', { wants: 'boolean' }), at: { pointer: '/atomic' } })
  const at = { pointer: '/commands' }
  if (!Array.isArray(commands)) faults.push({ ...reason('type', { wants: 'commands' }), at })
  else if (commands.length > batchBounds.commands) {
    const facts = { max: batchBounds.commands, count: commands.length, wants: 'commands' }
    faults.push({ ...reason('too-many', facts), at })
  }
  return faults.length > 0 ? { faults } : { atomic: atomic === true, commands: commands as readonly unknown[] }
}

function batchRefused(refused: readonly WrittenResult[], count: number): Problem {
  const errors = refused.flatMap(({ result: { index }, problem }): readonly Fault[] => {
    if (problem === undefined) return []
    const { code, detail = detailOf(problem), errors } = problem
    const why = typeof detail === 'string' ? { text: detail } : detail
    return errors ?? [{ ...reason('refused', { problem: code, why }), at: { pointer: `/commands/${index}` } }]
  })
  const rejected = refused.filter(({ problem }) => problem !== undefined).length
  return {
    code: 'batch-refused',
    detail: `${rejected} of ${count} commands ${rejected === 1 ? 'is' : 'are'} not possible, so nothing was done.`,
    errors,
    extra: { results: refused.map(({ result }) => result) },
  }
}
