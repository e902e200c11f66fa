import { admitPerson, type NotAdmitted } from '../../../access/oidc/admit-person.ts'
import { showSignIn } from '../../../views/sign-in/read.ts'
import type { Answer } from '../../answer.ts'
import { type Call, type Endpoint, header } from '../../endpoint.ts'
import type { Problem } from '../../respond/problems/problem.ts'
import { localPath } from './local-path.ts'
import { door } from './sign-in-endpoints.ts'
import { startSession } from './start-session.ts'
import { readTicket, writeTicket } from './ticket-cookie.ts'

/** What providers send back; some add parameters of their own, which mean nothing here. */
const answered = ['code', 'state', 'iss', 'session_state', 'error', 'error_description', 'error_uri']
const besides = ['scope', 'authuser', 'hd', 'prompt', 'client_info', 'id_token', 'expires_in', 'token_type']

/** Where people leave for the OpenID provider, and where they come back. Only browsers come here. decisions/0034 */
export const providerEndpoints: readonly Endpoint[] = [
  {
    ...door,
    pagesOnly: true,
    method: 'GET',
    path: '/sign-in/provider',
    summary: 'Sign in at the OpenID provider',
    parameters: ['return'],
    handle: leave,
  },
  {
    ...door,
    pagesOnly: true,
    method: 'GET',
    path: '/sign-in/callback',
    summary: 'Back from the OpenID provider',
    parameters: [...answered, ...besides],
    handle: comeBack,
  },
]

async function leave(call: Call): Promise<Answer> {
  const { provider, log } = call.service
  if (provider === undefined) return none
  const begun = await provider.begin()
  if ('refused' in begun) {
    log.warn({ err: begun.cause }, 'the OpenID provider does not answer')
    return refused(AWAY, call)
  }
  const back = localPath(call.parameters.get('return'))
  const ticket = { ...begun.ticket, ...(back !== undefined && { back }) }
  return { status: 303, headers: { location: begun.address, 'set-cookie': writeTicket(ticket, call) } }
}

async function comeBack(call: Call): Promise<Answer> {
  const { provider, settings, store, addresses, log } = call.service
  if (provider === undefined || settings.oidc === undefined) return none
  const ticket = readTicket(header(call, 'cookie'))
  if (ticket === undefined) return refused('The sign-in took too long, or began in another browser. Try again.', call)
  const person = await provider.finish(call.query.text, ticket)
  if ('refused' in person) {
    log.warn({ err: person.cause }, 'a sign-in at the OpenID provider was refused')
    if (person.refused === 'unavailable') return refused(AWAY, call)
    await store.accounts.record('sign-in-failed', { user: null, detail: 'at the provider' }, author(call))
    return refused('The provider did not confirm who you are. Try again.', call)
  }
  const user = await admitPerson(store.accounts, settings.oidc, person, call.address, new Date().toISOString())
  if ('refused' in user) return refused(reasons(user, person.subject), call)
  const cookie = await startSession(user.name, call, 'provider')
  if (cookie === undefined) return refused(reasons({ refused: 'disabled' }, person.subject), call)
  const back = localPath(ticket.back)
  const location = back === undefined ? addresses.home : addresses.base + back
  return { status: 303, headers: { location, 'set-cookie': cookie } }
}

const author = ({ address }: Call) => ({ actor: null, address })

function reasons(refusal: NotAdmitted, subject: string): string {
  if (refusal.refused === 'no-role') return 'The provider knows you, but gives you no role here. Ask an administrator.'
  if (refusal.refused === 'disabled') return 'Your account is disabled. Ask an administrator.'
  return `The name ${refusal.name} is taken here. If it is you, an administrator can link it to you: your subject at the provider is ${subject}.`
}

/** The sign-in page again, without a cookie. */
function refused(fault: string, call: Call): Answer {
  const problem: Problem = { code: 'sign-in-refused', detail: fault }
  return { problem: { ...problem, page: showSignIn({ fault }, call) } }
}

const AWAY = 'The provider does not answer. Try again later, or sign in with a password.'

const none: Answer = { problem: { code: 'not-found', detail: 'No OpenID provider is set.' } }
