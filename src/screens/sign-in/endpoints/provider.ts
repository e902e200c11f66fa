import { admitPerson, type NotAdmitted } from '../../../access/oidc/admit-person.ts'
import type { Answer } from '../../../http/contract/answer.ts'
import { type Call, type Endpoint, header } from '../../../http/contract/endpoint.ts'
import type { Problem } from '../../../http/contract/problems/problem.ts'
import { readKnownParameters } from '../../../http/request/known-parameters.ts'
import { anybody } from '../../../languages/reader.ts'
import { say } from '../../../languages/say.ts'
import type { Text } from '../../../languages/text.ts'
import { localPath } from '../../../values/address.ts'
import { showSignIn, showWayOut } from '../read.ts'
import { keptForm, sendKept, storeKept, takeKept } from './kept-form.ts'
import { door } from './sign-in.ts'
import { startSession } from './start-session.ts'
import { readTicket, writeTicket } from './ticket-cookie.ts'

/** Redirects people to the OpenID provider, and takes them back. Only for browsers. decisions/0034 */
export const providerEndpoints: readonly Endpoint[] = [
  {
    ...door,
    forPeople: true,
    method: 'GET',
    path: '/sign-in/provider',
    summary: 'Sign in at the OpenID provider',
    parameters: ['return'],
    handle: leave,
  },
  {
    ...door,
    forPeople: true,
    method: 'POST',
    path: '/sign-in/provider',
    summary: 'Sign in at the OpenID provider, with a form that is kept',
    reads: ['application/x-www-form-urlencoded'],
    handle: leaveForm,
  },
  {
    ...door,
    forPeople: true,
    method: 'GET',
    path: '/sign-in/callback',
    summary: 'Back from the OpenID provider',
    parameters: 'foreign',
    handle: comeBack,
  },
]

async function leave(call: Call): Promise<Answer> {
  const left = await begin(call)
  if ('refused' in left) return left.refused
  const back = localPath(call.parameters.get('return'))
  const ticket = { ...left.ticket, ...(back !== undefined && { back }) }
  return { status: 303, headers: { location: left.address, 'set-cookie': writeTicket(ticket, call) } }
}

/** The form waits in the store. Only a page of ours can send it here, so that nobody sends another's form as theirs. */
async function leaveForm(call: Call): Promise<Answer> {
  const kept = call.fields?.get('kept')
  if (kept === undefined || keptForm(kept) === undefined) return noForm
  const left = await begin(call, kept)
  if ('refused' in left) return left.refused
  const secret = await storeKept(kept, call)
  if (secret === undefined) return full(kept, call)
  const screen = showWayOut(left.address)
  return {
    status: 200,
    document: { title: 'Sign in', kind: 'resource', item: 'signIn', json: '{}', screen },
    // Not a redirect: browsers apply the page's policy to that of a form, and the provider may be anywhere.
    headers: { refresh: `0; url=${left.address}`, 'set-cookie': writeTicket({ ...left.ticket, kept: secret }, call) },
  }
}

/** A signed-in user who comes here signs in again, to change their access: the provider must ask them. */
async function begin(call: Call, kept?: string) {
  const { provider, log } = call.service
  if (provider === undefined) return { refused: none }
  const begun = await provider.begin(call.caller?.by === 'session')
  if (!('refused' in begun)) return begun
  log.warn({ err: begun.cause }, 'the OpenID provider does not answer')
  return { refused: refused(away, call, kept) }
}

/** Parameters that show that a provider sent the person back: only then are its additional ones ignored. */
const answers = ['code', 'error']

async function comeBack(call: Call): Promise<Answer> {
  const isAnswered = call.query.parameters.some(({ name }) => answers.includes(name))
  const read = isAnswered ? undefined : readKnownParameters(call.query, [...answers, 'state', 'iss'])
  if (read !== undefined && 'problem' in read) return read
  const { provider, settings, store, addresses, log } = call.service
  if (provider === undefined || settings.oidc === undefined) return none
  const ticket = readTicket(header(call, 'cookie'), call)
  if (ticket === undefined)
    return refused(say('The sign-in took too long, or began in another browser. Try again.'), call)
  const person = await provider.finish(call.query.text, ticket)
  const kept = await takeKept(ticket.kept, call)
  if ('refused' in person) {
    log.warn({ err: person.cause }, 'a sign-in at the OpenID provider was refused')
    if (person.refused === 'unavailable') return refused(away, call, kept)
    await store.accounts.record('sign-in-failed', { user: null, detail: 'at the provider' }, author(call))
    return refused(say('The provider did not confirm who you are. Try again.'), call, kept)
  }
  const user = await admitPerson(store, settings.oidc, person, call.peer.address)
  if ('refused' in user) return refused(reasonsOf(user, person.subject), call, kept)
  const cookies = await startSession(user.name, call, 'provider', { signedInAt: person.signedInAt })
  if (cookies === undefined) return refused(reasonsOf({ refused: 'disabled' }, person.subject), call, kept)
  const form = keptForm(kept)
  if (form !== undefined) return sendKept(form, cookies, call)
  const back = localPath(ticket.back)
  const location = back === undefined ? addresses.home : addresses.base + back
  return { status: 303, headers: { location }, cookies }
}

const author = ({ peer }: Call) => ({ actor: null, address: peer.address })

function reasonsOf(refusal: NotAdmitted, subject: string): Text {
  if (refusal.refused === 'no-role')
    return say('The provider knows you, but gives you no role here. Ask an administrator.')
  if (refusal.refused === 'disabled') return say('Your account is disabled. Ask an administrator.')
  return say(
    'The name {name} is taken here. If it is you, an administrator can link it to you: your subject at the provider is {subject}.',
    { name: refusal.name, subject },
  )
}

/** The sign-in page again, without a cookie, and with the form that it kept. */
const refused = (fault: Text, call: Call, kept?: string): Answer =>
  again({ code: 'sign-in-refused', detail: fault(anybody) }, fault, call, kept)

const full = (kept: string, call: Call): Answer =>
  again({ code: 'unavailable', detail: noRoom(anybody), headers: { 'retry-after': '60' } }, noRoom, call, kept)

const again = (problem: Problem, fault: Text, call: Call, kept: string | undefined): Answer => ({
  problem: { ...problem, screen: showSignIn({ fault, ...(kept !== undefined && { kept }) }, call) },
})

const noRoom = say('Your input cannot be kept now. Sign in with a password, or try again later.')
const away = say('The provider does not answer. Try again later, or sign in with a password.')

const noForm: Answer = { problem: { code: 'invalid-body', detail: 'There is no form to keep.' } }

const none: Answer = { problem: { code: 'not-found', detail: 'No OpenID provider is set.' } }
