import { secretHash } from '../../../access/secrets.ts'
import type { Answer } from '../../../http/contract/answer.ts'
import { type Call, type Endpoint, header, type MediaType } from '../../../http/contract/endpoint.ts'
import { invalidBody, type Problem } from '../../../http/contract/problems/problem.ts'
import type { Success } from '../../../http/contract/success.ts'
import { refusedCredential } from '../../../http/gate/refused-credential.ts'
import { say } from '../../../languages/say.ts'
import type { Text } from '../../../languages/text.ts'
import { signInMembers } from '../../../model/nouns/user/sign-in.ts'
import { localPath } from '../../../values/address.ts'
import { readMembers } from '../../../values/members.ts'
import { showSignIn } from '../read.ts'
import { keptForm, sendKept } from './kept-form.ts'
import { startSession } from './start-session.ts'

const reads: readonly MediaType[] = ['application/x-www-form-urlencoded', 'application/json']
/** Public addresses of people who are not signed in. */
export const door = { role: 'public', offers: 'resource' } as const
export const shown: Success = { status: 200, shows: 'SignInPage', headers: [], when: 'What is to be sent here.' }
export const ledOn: Success = {
  status: 303,
  headers: ['Location', 'Set-Cookie'],
  when: 'Signed in, with the cookie of a new session.',
}
const ledOut: Success = { ...ledOn, when: 'Signed out.' }
const group = 'Users'

/** Where people sign in and out. */
export const signInEndpoints: readonly Endpoint[] = [
  {
    ...door,
    method: 'GET',
    path: '/sign-in',
    summary: 'The sign-in page',
    parameters: ['return'],
    describes: { group, answers: [shown] },
    handle: show,
  },
  {
    ...door,
    method: 'POST',
    path: '/sign-in',
    summary: 'Sign in',
    reads,
    describes: { group, takes: 'SignIn', answers: [ledOn], refuses: ['wrong-password', 'invalid-body'] },
    handle: signIn,
  },
  {
    ...door,
    method: 'POST',
    path: '/sign-out',
    summary: 'Sign out',
    reads,
    describes: { group, answers: [ledOut], refuses: ['cross-site-request'] },
    handle: signOut,
  },
]

function show(call: Call): Answer {
  const back = localPath(call.parameters.get('return'))
  const name = call.service.cookie.user(header(call, 'cookie'))
  return {
    status: 200,
    document: {
      title: 'Sign in',
      kind: 'resource',
      item: 'signIn',
      json: JSON.stringify({ fields: ['name', 'password', 'return'], links: { self: call.service.addresses.signIn } }),
      screen: showSignIn({ ...(back !== undefined && { back }), ...(name !== undefined && { name }) }, call),
    },
  }
}

async function signIn(call: Call): Promise<Answer> {
  const given = readMembers(
    signInMembers,
    call.fields === undefined ? (call.body ?? {}) : Object.fromEntries(call.fields),
  )
  if ('faults' in given) return refused(invalidBody(given.faults), call)
  const { name, password, kept } = given.values
  const { access, addresses } = call.service
  const proved = await access.prove(name, password, call.peer.address)
  if ('refused' in proved) return refused(refusedCredential(proved, WRONG), call)
  const cookies = await startSession(proved.user.name, call, 'password', { proof: proved.hash })
  if (cookies === undefined) return refused(refusedCredential({ refused: 'unknown' }, WRONG), call)
  const form = keptForm(kept)
  if (form !== undefined) return sendKept(form, cookies, call)
  const back = localPath(given.values.return)
  const location = back === undefined ? addresses.home : addresses.base + back
  return { status: 303, headers: { location }, cookies }
}

const WRONG = 'The name or the password is wrong.'

/** The form again, with its values except the password. */
function refused(problem: Problem, call: Call): Answer {
  const entered = call.fields ?? new Map<string, string>()
  const [name, kept] = [entered.get('name'), entered.get('kept')]
  const back = localPath(entered.get('return'))
  const shown = {
    ...(name !== undefined && { name }),
    ...(kept !== undefined && keptForm(kept) !== undefined && { kept }),
    ...(back !== undefined && { back }),
    fault: whyRefused(problem),
  }
  return { problem: { ...problem, screen: showSignIn(shown, call) } }
}

function whyRefused({ code, headers }: Problem): Text {
  if (code === 'invalid-body') return say('Enter your name and your password.')
  if (code === 'too-many-requests')
    return say('Too many attempts were wrong. Try again in {seconds} s.', {
      seconds: headers?.['retry-after'] ?? '',
    })
  if (code === 'unavailable') return say('Passwords cannot be checked right now. Try again in a moment.')
  return say('The name or the password is wrong.')
}

async function signOut(call: Call): Promise<Answer> {
  const { store, cookie, access, addresses } = call.service
  const token = cookie.read(header(call, 'cookie'))
  if (token !== undefined) {
    await store.accounts.signOut(secretHash(token), call.peer.address)
    access.refresh()
  }
  const location = (await providersWayOut(call)) ?? addresses.signIn
  return { status: 303, headers: { location }, cookies: cookie.clear(call.peer.isSecure) }
}

/** A user who is known at the provider signs out there too, if it supports that. */
async function providersWayOut({ caller, service }: Call): Promise<string | undefined> {
  const { provider, store, addresses } = service
  if (provider === undefined || typeof caller?.user !== 'string') return undefined
  const identities = await store.accounts.identitiesOf(caller.user)
  return identities.some(({ issuer }) => issuer === provider.issuer) ? provider.signOut(addresses.signIn) : undefined
}
