import { hashPassword } from '../../../access/password.ts'
import { secretHash } from '../../../access/secrets.ts'
import type { Answer } from '../../../http/contract/answer.ts'
import type { Call, Endpoint, MediaType } from '../../../http/contract/endpoint.ts'
import { invalidBody } from '../../../http/contract/problems/problem.ts'
import { invitationMembers as members } from '../../../model/nouns/user/sign-in.ts'
import { readMembers } from '../../../values/members.ts'
import { showInvitation, showUsedInvitation, weakPassword } from '../read.ts'
import { door, ledOn, shown } from './sign-in.ts'
import { startSession } from './start-session.ts'

const reads: readonly MediaType[] = ['application/x-www-form-urlencoded', 'application/json']
const refuses = ['invitation-not-found', 'invalid-body', 'cross-site-request'] as const

/** The page on which an invited user sets a password, once. */
export const invitationEndpoints: readonly Endpoint[] = [
  {
    ...door,
    method: 'GET',
    path: '/invitations/:token',
    summary: 'An invitation',
    describes: { group: 'Users', answers: [shown], refuses: ['invitation-not-found'] },
    handle: show,
  },
  {
    ...door,
    method: 'POST',
    path: '/invitations/:token',
    summary: 'Accept an invitation',
    reads,
    describes: { group: 'Users', takes: 'Acceptance', answers: [ledOn], refuses },
    handle: accept,
  },
]

async function show(call: Call): Promise<Answer> {
  const { token = '' } = call.params
  const user = await invited(token, call)
  if (user === undefined) return gone(call)
  const links = { self: call.service.addresses.invitation(token) }
  return {
    status: 200,
    document: {
      title: 'Invitation',
      kind: 'resource',
      item: 'invitation',
      json: JSON.stringify({ user, fields: ['password'], links }),
      screen: showInvitation({ user, token }, call),
    },
  }
}

async function accept(call: Call): Promise<Answer> {
  const { token = '' } = call.params
  const user = await invited(token, call)
  if (user === undefined) return gone(call)
  const given = readMembers(members, call.fields === undefined ? (call.body ?? {}) : Object.fromEntries(call.fields))
  if ('faults' in given) {
    const problem = invalidBody(given.faults)
    return { problem: { ...problem, screen: showInvitation({ user, token, fault: weakPassword }, call) } }
  }
  const hash = await hashPassword(given.values.password)
  const by = { actor: null, address: call.peer.address }
  const accepted = await call.service.store.accounts.accept(secretHash(token), hash, by, new Date().toISOString())
  const cookies = accepted && (await startSession(accepted.name, call, 'invitation'))
  if (cookies === undefined) return gone(call)
  return { status: 303, headers: { location: call.service.addresses.home }, cookies }
}

async function invited(token: string, { service }: Call): Promise<string | undefined> {
  return (await service.store.accounts.invited(secretHash(token), new Date().toISOString()))?.name
}

/** A user who has used the link has a password, and signs in. */
const gone = (call: Call): Answer => ({
  problem: {
    code: 'invitation-not-found',
    detail: 'The link was used, replaced by another, or has expired.',
    screen: showUsedInvitation(call),
  },
})
