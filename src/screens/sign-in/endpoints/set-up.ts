import { plainUser } from '../../../access/as-operator.ts'
import { hashPassword } from '../../../access/password.ts'
import { trySetUpCode } from '../../../access/set-up.ts'
import type { Answer } from '../../../http/contract/answer.ts'
import type { Call, Endpoint, MediaType } from '../../../http/contract/endpoint.ts'
import { invalidBody, type Problem } from '../../../http/contract/problems/problem.ts'
import { refusalProblem } from '../../../http/contract/problems/refusals.ts'
import { anybody } from '../../../languages/reader.ts'
import { say } from '../../../languages/say.ts'
import type { Text } from '../../../languages/text.ts'
import { setUpMembers as members } from '../../../model/nouns/user/sign-in.ts'
import { readMembers } from '../../../values/members.ts'
import { showSetUp, weakPassword } from '../read.ts'
import { door, ledOn, shown } from './sign-in.ts'
import { startSession } from './start-session.ts'

const reads: readonly MediaType[] = ['application/x-www-form-urlencoded', 'application/json']
const refuses = ['not-found', 'wrong-code', 'invalid-body', 'name-taken'] as const

/** Creates the first admin, with a code from the log; it is 404 as soon as there is a user. */
export const setUpEndpoints: readonly Endpoint[] = [
  {
    ...door,
    inSetUp: true,
    method: 'GET',
    path: '/set-up',
    summary: 'The set-up page',
    describes: { group: 'Users', answers: [shown], refuses: ['not-found'] },
    handle: show,
  },
  {
    ...door,
    inSetUp: true,
    method: 'POST',
    path: '/set-up',
    summary: 'Make the first admin',
    reads,
    describes: { group: 'Users', takes: 'SetUp', answers: [ledOn], refuses },
    handle: setUp,
  },
]

async function show(call: Call): Promise<Answer> {
  if (!(await isWanted(call))) return over(call)
  return {
    status: 200,
    document: {
      title: 'Set up Dealdesk',
      kind: 'resource',
      item: 'setUp',
      json: JSON.stringify({ fields: Object.keys(members), links: { self: call.service.addresses.setUp } }),
      screen: showSetUp({}, call),
    },
  }
}

async function setUp(call: Call): Promise<Answer> {
  if (!(await isWanted(call))) return over(call)
  const { service, fields, body } = call
  const given = readMembers(members, fields === undefined ? (body ?? {}) : Object.fromEntries(fields))
  if ('faults' in given) {
    const [fault] = given.faults
    const problem = invalidBody(given.faults)
    return again(problem, wrongEntry(fault?.at.pointer), call)
  }
  const { code, name, password } = given.values
  const tried = await trySetUpCode(service.store.accounts, code)
  if (tried !== 'right') {
    const isOpen = tried === 'wrong'
    const fault = say(isOpen ? 'The code is wrong.' : 'The code has expired; restart the service for a new one.')
    return again({ code: 'wrong-code', detail: fault(anybody) }, fault, call)
  }
  const user = plainUser({ name, role: 'admin', now: new Date().toISOString() })
  const account = { user, hash: await hashPassword(password) }
  const added = await service.store.accounts.addFirst(account, { actor: name, address: call.peer.address })
  if (added === 'not first') return over(call)
  if (added === 'taken')
    return again(
      refusalProblem({ code: 'name-taken', resource: 'user', name }, call.schema),
      say('A key has this name: choose another.'),
      call,
    )
  service.access.refresh()
  const cookies = await startSession(name, call, 'set-up')
  return { status: 303, headers: { location: service.addresses.home }, ...(cookies && { cookies }) }
}

/** Whether nobody can sign in yet, and a code was asked for. */
const isWanted = async ({ service }: Call): Promise<boolean> =>
  service.settings.setUp && !(await service.access.hasAny(true))

function wrongEntry(pointer: string | undefined): Text {
  if (pointer === '/code') return say('Enter the code from the log.')
  if (pointer === '/name')
    return say('This name cannot be used: choose one without a slash and without an ending such as .json.')
  return weakPassword
}

function again(problem: Problem, fault: Text, call: Call): Answer {
  const sent = call.fields ?? new Map<string, string>()
  const [code, name] = [sent.get('code'), sent.get('name')]
  const isWrong = problem.code === 'wrong-code'
  const entered = { ...(code !== undefined && !isWrong && { code }), ...(name !== undefined && { name }), fault }
  return { problem: { ...problem, screen: showSetUp(entered, call) } }
}

/** Another user may have been created meanwhile, perhaps on another instance. */
const over = ({ service }: Call): Answer => ({
  problem: { code: 'not-found', detail: service.settings.setUp ? DONE : 'There is nothing to set up.' },
})

const DONE = 'There is nothing to set up any more: the first user was made. Sign in.'
