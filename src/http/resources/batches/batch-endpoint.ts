import { mapInTurns } from '../../../store/port/take-turns.ts'
import { type Fault, isObject, NO_OBJECT, unknownMembers } from '../../../values/members.ts'
import type { Answer } from '../../answer.ts'
import { askTogether } from '../../ask/ask-together.ts'
import type { Call, Endpoint } from '../../endpoint.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import type { ProblemError } from '../../respond/problems/bounded-problem.ts'
import { invalidBody } from '../../respond/problems/problem.ts'
import type { WriteSuccess } from '../../respond/success.ts'
import { MOST_COMMANDS } from './batch-shape.ts'
import { readCommand, readWritingMany } from './read-command.ts'
import { type CommandResult, isApplied, isReplay, resultWriter } from './results.ts'

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
  const writing = readWritingMany(call)
  if ('problem' in writing) return writing
  const asked = readEnvelopeOfMany(call.body)
  if ('faults' in asked) return { problem: invalidBody(asked.faults) }
  const { atomic } = asked
  const { dryRun } = writing
  const commands = asked.commands.map((raw, index) =>
    readCommand(raw, { index, pointer: `/commands/${index}` }, writing, 'batch'),
  )
  const { settled } = await askTogether(commands, { atomic, dryRun }, call)
  const write = resultWriter(call.service.addresses, { dryRun })
  const results = await mapInTurns(settled, (each, index) => write(index, each))
  const refused = results.filter((result) => !isApplied(result))
  if (atomic && refused.length > 0) return { problem: batchRefused(refused, results.length) }
  const isReplayed = settled.length > 0 && settled.every(isReplay)
  const answered = {
    dryRun,
    document: () => ({
      title: 'What became of the batch',
      kind: 'resource' as const,
      item: 'batch',
      json: JSON.stringify({ results }),
    }),
    headers: isReplayed ? { 'idempotent-replayed': 'true' } : {},
  }
  // Whoever does not want to see results still learns of refusals.
  const { prefer: _prefer, ...headers } = call.headers
  return answerWrite(decided, answered, refused.length === 0 ? call : { ...call, headers })
}

type EnvelopeOfMany =
  | { readonly atomic: boolean; readonly commands: readonly unknown[] }
  | { readonly faults: readonly Fault[] }

function readEnvelopeOfMany(body: unknown): EnvelopeOfMany {
  if (!isObject(body)) return { faults: [{ pointer: '', detail: NO_OBJECT }] }
  const { atomic = false, commands } = body
  const faults = [...unknownMembers(body, ['atomic', 'commands'])]
  if (typeof atomic !== 'boolean') faults.push({ pointer: '/atomic', detail: 'must be true or false' })
  if (!Array.isArray(commands)) faults.push({ pointer: '/commands', detail: 'must be a list of commands' })
  else if (commands.length > MOST_COMMANDS) {
    const detail = `has ${commands.length} commands; ${MOST_COMMANDS} are allowed, and any number as a stream`
    faults.push({ pointer: '/commands', detail })
  }
  return faults.length > 0 ? { faults } : { atomic: atomic === true, commands: commands as readonly unknown[] }
}

function batchRefused(refused: readonly CommandResult[], count: number) {
  const errors = refused.flatMap(({ index, problem }): readonly ProblemError[] => {
    if (!isObject(problem)) return []
    const own = problem.errors as readonly ProblemError[] | undefined
    return own ?? [{ pointer: `/commands/${index}`, detail: String(problem.detail) }]
  })
  const rejected = refused.filter(({ status }) => status === 'rejected').length
  const detail = `${rejected} of ${count} commands ${rejected === 1 ? 'is' : 'are'} not possible, so nothing was done.`
  return { code: 'batch-refused', detail, errors, extra: { results: refused } } as const
}
