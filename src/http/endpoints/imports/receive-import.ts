import type { Matching } from '../../../imports/read/matching.ts'
import { foundText, nothingFound } from '../../../imports/uploads/found.ts'
import { keptUntil } from '../../../model/nouns/imports/upload.ts'
import { typeFault } from '../../connection/announced-body.ts'
import type { Answer } from '../../contract/answer.ts'
import { type Call, FILE_TYPES, header, MULTIPART } from '../../contract/endpoint.ts'
import { invalidBody, type Problem } from '../../contract/problems/problem.ts'
import { created } from '../../contract/success.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { readWritingWithoutKey } from '../../write/intent.ts'
import { startRun } from './addressed-import.ts'
import { guessMatching } from './guess-matching.ts'
import { keptAnswers } from './kept-answers.ts'
import { type ReceivedFile, receiveFile } from './receive-file.ts'
import { showImport } from './run-imports.ts'
import { writeImport } from './write-import.ts'

const reads = [MULTIPART, ...FILE_TYPES]

/** Stores a file, guesses how to read it and begins to check it. */
export async function receiveImport(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  // `{}` counts as no body, whatever its type; here there must be a body.
  const unread = call.incoming ? undefined : typeFault(call.headers, { method: 'POST', reads })
  if (unread !== undefined) return { problem: unread }
  const received = await receiveFile(call)
  const problem = 'problem' in received ? received.problem : await begin(received, call)
  if (problem !== undefined) return refused(problem, call)
  const { id } = received as ReceivedFile
  const shown = await showImport({ id }, false, call)
  // A form with a file is a page's, unless its sender wants something else than a page.
  if (call.representation === 'html') return { status: 303, headers: { location: call.service.addresses.import(id) } }
  return answerWrite(
    { ...created('imports', 'import'), headers: ['Location', 'Content-Location'] },
    { ...shown, dryRun: false },
    call,
  )
}

async function begin(received: ReceivedFile, call: Call): Promise<Problem | undefined> {
  const { id, resource, encoding, size, create, badCells } = received
  const { imports } = call.service.store
  const matching = await guessMatching(call, received, resource, { encoding, zone: await zoneOf(call) })
  if ('fault' in matching) {
    await imports.discard(id)
    return invalidBody([matching.fault])
  }
  const values = await keptAnswers(matching.columns, resource, call.actor, call)
  const whole: Matching = { ...matching, create, badCells, values }
  const found = foundText(whole, nothingFound)
  const prepared = { matching: JSON.stringify(whole), found, size, endsAt: keptUntil(Date.now()) }
  const changed = await writeImport(call, 'change', { target: id, prepared })
  if ('problem' in changed) return changed.problem
  const upload = await imports.find(id)
  if (upload !== undefined) await startRun(upload, 'checking', resource, call)
  return undefined
}

const refused = (problem: Problem, call: Call): Answer => {
  const isForm = (header(call, 'content-type') ?? '').startsWith(MULTIPART)
  return { problem: { ...problem, ...(isForm && { shown: { screen: 'import form' } }) } }
}

/** The time zone of the user, or else of their browser: times without one are meant so. */
async function zoneOf({ caller, reader, service }: Call): Promise<string | undefined> {
  const users = await service.store.accounts.users()
  return users.find(({ name }) => name === caller?.user)?.timeZone ?? reader.timeZone
}
