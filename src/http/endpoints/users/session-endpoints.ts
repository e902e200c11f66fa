import { IDLE_SESSION } from '../../../model/user/session.ts'
import { fieldOf } from '../../../queries/collection.ts'
import { collections } from '../../../queries/collections.ts'
import { parseQuery } from '../../../queries/parse/parse-query.ts'
import type { Filter } from '../../../queries/query.ts'
import { equals } from '../../../queries/term.ts'
import { checkGuard, type State } from '../../../values/guard.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { noSuch, refusalProblem } from '../../contract/problems/problem.ts'
import type { WriteSuccess } from '../../contract/success.ts'
import { readWritingWithoutKey, superfluousBody } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { collectionEndpoint } from '../collections/collection-endpoint.ts'
import { authorOf, deletingOwn, findUser, group, writingOwn } from './addressed-user.ts'
import { deniesProgram } from './prove-oneself.ts'
import { userState } from './user-documents.ts'

const { sessions } = collections
const ended: WriteSuccess = { status: 204, headers: [], when: 'It has ended, here at once, elsewhere within a second.' }
const refuses = [
  'user-not-found',
  'forbidden',
  'session-not-found',
  'stale-revision',
  'precondition-failed',
  'invalid-body',
] as const
const ending = { group, answers: [ended], refuses } as const

/** The sessions of users: listed and ended. */
export const sessionEndpoints: readonly Endpoint[] = [
  collectionEndpoint({
    collection: sessions,
    path: '/users/:name/sessions',
    summary: 'Sessions of a user',
    about: { group: 'Users', refuses: ['user-not-found'] },
    async scope(call) {
      const found = await findUser(call)
      return 'problem' in found ? found : { scope: running(found.user.name, Date.now()) }
    },
    present: (json, { caller }) => {
      const { id } = JSON.parse(json) as { readonly id: string }
      return `${json.slice(0, -1)},"current":${id === caller?.session}}`
    },
  }),
  {
    ...deletingOwn,
    path: '/users/:name/sessions',
    summary: 'End all sessions of a user',
    describes: ending,
    handle: (call) => end(call, undefined),
  },
  {
    ...writingOwn,
    path: '/users/:name/session-endings',
    summary: 'End all sessions of a user, from a page',
    describes: ending,
    handle: (call) => end(call, undefined),
  },
  {
    ...deletingOwn,
    path: '/users/:name/sessions/:session',
    summary: 'End a session',
    describes: ending,
    handle: (call) => end(call, call.params.session ?? ''),
  },
  {
    ...writingOwn,
    path: '/users/:name/sessions/:session/endings',
    summary: 'End a session, from a page',
    describes: ending,
    handle: (call) => end(call, call.params.session ?? ''),
  },
]

/** Those that have not ended; others are cleared away later. */
export function running(user: string, now: number): Filter {
  const term = (field: string, operator: 'eq' | 'gt' | 'gte', value: string) =>
    ({ field: fieldOf(sessions, field), operator, values: [value] }) as const
  return [
    term('user', 'eq', user),
    term('endsAt', 'gt', new Date(now).toISOString()),
    term('seenAt', 'gte', new Date(now - IDLE_SESSION).toISOString()),
  ]
}

async function end(call: Call, id: string | undefined): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const denied = deniesProgram(found, call)
  if (denied !== undefined) return { problem: denied }
  const state = id === undefined ? userState(found.user) : await sessionState(found.user.name, id, call)
  if (id !== undefined && state === undefined) return noSession(id)
  const failed = checkGuard({ ...asked.guard, required: false }, state)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const superfluous = superfluousBody(call)
  if (superfluous !== undefined) return superfluous
  const { dryRun } = asked
  const { name } = found.user
  if (!dryRun) {
    const event = id === undefined ? 'sessions-ended' : 'session-ended'
    const count = await call.service.store.accounts.endSessions(name, id, event, authorOf(call))
    if (id !== undefined && count === 0) return noSession(id)
    call.service.access.refresh()
  }
  return answerWrite(ended, { dryRun, next: call.service.addresses.user(name) }, call)
}

/** Nothing if it is no running session of the user. When it was last used is no state of it. */
async function sessionState(user: string, id: string, { desk }: Call): Promise<State | undefined> {
  const named: Filter = [equals(sessions, 'id', id)]
  const { items } = await desk.page('sessions', [...running(user, Date.now()), ...named], one)
  const [json] = items
  if (json === undefined) return undefined
  const { createdAt } = JSON.parse(json) as { readonly createdAt: string }
  return { revision: 1, updatedAt: createdAt }
}

const one = firstSession()

function firstSession() {
  const parsed = parseQuery(sessions, 'limit=1')
  if ('faults' in parsed) throw new Error('sessions cannot be listed')
  return parsed.query
}

const noSession = (id: string): Answer => ({
  problem: { code: 'session-not-found', detail: noSuch('session', id) },
})
