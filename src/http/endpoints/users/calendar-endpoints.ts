import { newSecret, secretHash } from '../../../access/secrets.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { collectionNamed, collectionOf } from '../../../queries/collections.ts'
import { parseQuery } from '../../../queries/parse/parse-query.ts'
import { ics, writeCalendar } from '../../../representations/ics.ts'
import { answerBounds } from '../../../values/bounds.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { refusalProblem } from '../../contract/problems/refusals.ts'
import { created, overview, withSecret } from '../../contract/success.ts'
import { auditedWrite } from '../audited/audited-writes.ts'
import { group } from './addressed-user.ts'
import { proved, unproved } from './prove-oneself.ts'
import { theirs } from './their-writes.ts'
import { backToUser, showWithUser, userOperation } from './user-documents.ts'

/**
 * Calendars send no credentials: the address of a user's calendar contains a secret, which they create and revoke.
 * decisions/0039
 */
export const calendarEndpoints = (schema: Schema): readonly Endpoint[] => [
  ...auditedWrite({
    ...theirs,
    // Nobody else sees the secret: others are refused, whether or not there is such a user.
    addressed: (call) => {
      const addressed = theirs.addressed(call)
      return 'problem' in addressed && addressed.problem.code === 'forbidden' ? notTheirs(call) : addressed
    },
    operation: userOperation(schema, 'openCalendar'),
    at: 'POST /users/:name/calendar',
    success: withSecret({ ...created('users', 'user'), when: 'The user, with the address of their calendar.' }),
    refuses: ['user-not-found', 'stale-revision', 'invalid-body', ...unproved],
    prepare: proved(() => {
      const secret = newSecret()
      return { prepared: secretHash(secret), secret }
    }),
    show: ({ thing, dryRun, secret = '' }, call) =>
      showWithUser(thing, dryRun ? {} : { calendar: call.service.addresses.calendar(secret) }, call),
  }),
  ...auditedWrite({
    ...theirs,
    operation: userOperation(schema, 'revokeCalendar'),
    at: 'DELETE /users/:name/calendar',
    noun: '/users/:name/calendar-revocations',
    success: { status: 204, headers: [], when: 'The address leads nowhere any more.' },
    refuses: ['user-not-found', 'calendar-not-found', 'stale-revision', 'invalid-body', ...unproved],
    prepare: proved(() => ({ prepared: null })),
    show: backToUser,
  }),
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

const notTheirs = ({ schema }: Call) => ({ problem: refusalProblem({ code: 'denied', why: 'calendar' }, schema) })

/** The next entries of each resource with dates, at most one page of each. */
async function readCalendar({ params, service }: Call): Promise<Answer> {
  const { store, addresses } = service
  const owner = await store.accounts.calendarOwner(secretHash(params.secret ?? ''))
  if (owner === undefined) {
    return { problem: { code: 'calendar-not-found', detail: 'The address of the calendar no longer works.' } }
  }
  const desk = store.as({ name: owner, user: owner, role: 'reader' })
  const parts = await Promise.all(
    desk.schema.resources.map(async (resource) => {
      if (resource.calendar === undefined) return ''
      const collection = collectionOf(resource)
      const parsed = parseQuery(collection, queryFor(resource.calendar, owner))
      if ('faults' in parsed) throw new Error(`${resource.plural} have no calendar`)
      const { items } = await desk.page(collection, [], parsed.query)
      const itemAddress = ({ id }: { readonly [name: string]: unknown }) => addresses.thing(resource, String(id))
      return calendarOf({ items: collection, itemAddress }).batch(items)
    }),
  )
  const { beginning, end } = calendarOf({ items: collectionNamed(desk.schema, 'tasks') })
  const headers = { 'cache-control': 'private, no-cache' }
  return { content: `${beginning()}${parts.join('')}${end()}`, contentType: ics.contentType, headers }
}

const calendarOf = (list: Pick<Parameters<typeof writeCalendar>[0], 'items' | 'itemAddress'>) =>
  writeCalendar({ name: 'calendar', title: 'Dealdesk', address: '', columns: [], chosen: false, ...list })

function queryFor({ day, instant, person, open }: NonNullable<Resource['calendar']>, owner: string): string {
  const dates = [day, ...(instant === undefined ? [] : [instant])]
  const dated = `not.and=(${dates.map((name) => `${name}.is.null`).join()})`
  return `${person}=${encodeURIComponent(owner)}&${open[0]}=${open[1]}&${dated}&sort=${day}&limit=${answerBounds.page}`
}
