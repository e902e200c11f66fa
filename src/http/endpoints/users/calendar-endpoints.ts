import { newSecret, secretHash } from '../../../access/secrets.ts'
import { resources } from '../../../model/resources.ts'
import { collectionNamed } from '../../../queries/collections.ts'
import { parseQuery } from '../../../queries/parse/parse-query.ts'
import { LARGEST_SIZE } from '../../../queries/settings.ts'
import { ics, writeCalendar } from '../../../representations/ics.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { created, overview, type WriteSuccess, withSecret } from '../../contract/success.ts'
import { readWritingWithoutKey } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { authorOf, deletingOwn, findUser, group, writingOwn } from './addressed-user.ts'
import { refuseChange, unproved } from './prove-oneself.ts'
import { userDocument, userState } from './user-documents.ts'
import { onUserPage, withUserPage } from './user-page.ts'

const opened = withSecret({ ...created('users'), when: 'The user, with the address of their calendar.' })
const revoked: WriteSuccess = { status: 204, headers: [], when: 'The address leads nowhere any more.' }
const revoking = {
  group,
  answers: [revoked],
  takes: 'Proof',
  refuses: ['user-not-found', 'calendar-not-found', 'stale-revision', 'invalid-body', ...unproved],
} as const

/** Calendars send no credentials: the address of a user's own has a secret, which they make and revoke. decisions/0039 */
export const calendarEndpoints: readonly Endpoint[] = [
  {
    ...writingOwn,
    path: '/users/:name/calendar',
    summary: 'Make the address of one’s calendar',
    describes: {
      group,
      takes: 'Proof',
      answers: [opened],
      refuses: ['user-not-found', 'stale-revision', 'invalid-body', ...unproved],
    },
    handle: onUserPage(open),
  },
  {
    ...deletingOwn,
    reads: ['application/json'],
    path: '/users/:name/calendar',
    summary: 'Revoke the address of a calendar',
    describes: revoking,
    handle: onUserPage(revoke),
  },
  {
    ...writingOwn,
    path: '/users/:name/calendar-revocations',
    summary: 'Revoke the address of a calendar, from a page',
    describes: revoking,
    handle: onUserPage(revoke),
  },
  {
    method: 'GET',
    path: '/calendar/:secret',
    role: 'public',
    summary: 'One’s own open tasks and deals that have a date',
    offers: 'content',
    types: [ics.mediaTypes[0]],
    describes: {
      group,
      answers: [{ ...overview({ content: ics.mediaTypes[0] }, 'A calendar.'), headers: [] }],
      refuses: ['calendar-not-found'],
    },
    handle: readCalendar,
  },
]

/** Nobody else is shown the secret, whatever their role is. */
const notTheirs: Answer = {
  problem: { code: 'forbidden', detail: 'The address of a calendar is made by its user alone.' },
}

/** The earlier address, if there is one, leads nowhere from now on. */
async function open(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found.problem.code === 'forbidden' ? notTheirs : found
  const { user, isSelf } = found
  if (!isSelf && call.caller !== null) return notTheirs
  const refused = await refuseChange(found, asked.guard, userState(user), call)
  if (refused !== undefined) return refused
  const { dryRun } = asked
  const { addresses, store } = call.service
  const secret = newSecret()
  if (!dryRun) await store.accounts.setCalendar(user.name, secretHash(secret), authorOf(call))
  const calendar = dryRun ? {} : { calendar: addresses.calendar(secret) }
  const document = await withUserPage(userDocument(user, addresses, calendar), user, call, calendar)
  const written = { dryRun, document: () => document, address: addresses.user(user.name), validators: userState(user) }
  return answerWrite(opened, written, call)
}

async function revoke(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const { name } = found.user
  const refused = await refuseChange(found, asked.guard, userState(found.user), call)
  if (refused !== undefined) return refused
  const { accounts } = call.service.store
  if (!asked.dryRun && !(await accounts.setCalendar(name, null, authorOf(call)))) {
    return {
      problem: {
        code: 'calendar-not-found',
        detail: { text: 'The calendar of {name} has no address.', with: { name } },
      },
    }
  }
  return answerWrite(revoked, { dryRun: asked.dryRun, next: call.service.addresses.user(name) }, call)
}

/** The next of each resource that has dates, at most so many as a page has. */
async function readCalendar({ params, service }: Call): Promise<Answer> {
  const { store, addresses } = service
  const owner = await store.accounts.calendarOwner(secretHash(params.secret ?? ''))
  if (owner === undefined) {
    return { problem: { code: 'calendar-not-found', detail: 'The address of the calendar leads nowhere any more.' } }
  }
  const desk = store.as({ name: owner, isAdmin: false })
  const parts = await Promise.all(
    resources.map(async (resource) => {
      if (resource.calendar === undefined) return ''
      const collection = collectionNamed(resource.plural)
      const parsed = parseQuery(collection, queryFor(resource.calendar, owner))
      if ('faults' in parsed) throw new Error(`${resource.plural} have no calendar`)
      const { items } = await desk.page(resource.plural, [], parsed.query)
      const itemAddress = ({ id }: { readonly [name: string]: unknown }) => addresses.thing(resource, String(id))
      return calendarOf({ items: collection, itemAddress }).batch(items)
    }),
  )
  const { beginning, end } = calendarOf({ items: collectionNamed('tasks') })
  const headers = { 'cache-control': 'private, no-cache' }
  return { content: `${beginning()}${parts.join('')}${end()}`, contentType: ics.contentType, headers }
}

const calendarOf = (list: Pick<Parameters<typeof writeCalendar>[0], 'items' | 'itemAddress'>) =>
  writeCalendar({ name: 'calendar', title: 'Dealdesk', address: '', columns: [], chosen: false, ...list })

function queryFor(
  { day, instant, person, open }: NonNullable<(typeof resources)[number]['calendar']>,
  owner: string,
): string {
  const dates = [day, ...(instant === undefined ? [] : [instant])]
  const dated = `not.and=(${dates.map((name) => `${name}.is.null`).join()})`
  return `${person}=${encodeURIComponent(owner)}&${open[0]}=${open[1]}&${dated}&sort=${day}&limit=${LARGEST_SIZE}`
}
