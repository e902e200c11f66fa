import { setTimeout } from 'node:timers/promises'
import { addKey, addUser, operator } from '../../../src/access/as-operator.ts'
import { fillDemo } from '../../../src/cli/actions/fill-demo.ts'
import { readSettings } from '../../../src/config.ts'
import { operationsOnExisting } from '../../../src/model/schema/resources.ts'
import { reports } from '../../../src/screens/reports/reports.ts'
import { deal } from '../schema.ts'
import { basic } from '../service/closed-service.ts'
import { fileForm } from '../service/file-form.ts'
import { DEALS, openDeal } from '../service/making-deals.ts'
import type { TestService } from '../service/running-service.ts'

const TASKS = '/rest/v1/tasks'
const dealOperations = operationsOnExisting(deal)

/** Something people get to see: an address, or what a form that was sent there comes back with. */
export interface Sight {
  readonly path: string
  readonly form?: { readonly [field: string]: string }
}

export interface Sights {
  /** Each page, and a page in each of its states. */
  readonly pages: readonly Sight[]
  /** The pages of all operations, which are alike. */
  readonly operations: readonly Sight[]
}

/** An import in each of its stages. */
async function uploadAll({ request, store }: TestService): Promise<readonly string[]> {
  const people = PEOPLE
  const settled = async (address: string): Promise<string> => {
    while ((await request('GET', address, { headers: HEAD })).body.isRunning === true) await setTimeout(10)
    return address
  }
  const upload = async (what: string, file: string): Promise<string> => {
    const { type, content } = fileForm({ what, file: { name: `${what}.csv`, content: file } })
    const headers = { ...HEAD, 'content-type': type, accept: 'text/html' }
    return settled(String((await request('POST', '/imports', { body: content, headers })).headers.location))
  }
  const post = (address: string) => request('POST', address, { body: new URLSearchParams(), headers: HEAD })
  const asking = await upload('deals', 'Titel;Betrag\nDach;1.500\n')
  const ready = await upload('customers', people)
  const done = await upload('customers', people)
  const stopped = await upload('customers', people)
  const undone = await upload('customers', people)
  for (const address of [done, undone]) {
    await post(`${address}/runs`)
    await settled(address)
  }
  await post(`${undone}/undoings`)
  // Their processes are gone: one import, one check, and a check of a file that cannot be read.
  const unchecked = await upload('customers', people)
  const unreadable = await upload('customers', people)
  const endsAt = new Date(Date.now() + 60_000).toISOString()
  for (const [address, work] of [
    [stopped, 'importing'],
    [unchecked, 'checking'],
    [unreadable, 'checking'],
  ] as const)
    await store.imports.begin(
      idOf(address),
      work,
      { runner: 'gone', lease: address === unreadable ? 60_000 : 0 },
      endsAt,
    )
  await store.imports.end(idOf(unreadable), 'gone', 'checking', 'header')
  return [asking, ready, done, stopped, unchecked, unreadable, undone]
}

/** The file of an import. */
export const PEOPLE = 'Name;E-mail;Age\nAna;ana@example.com;41\nBen;;old\n'

/** The demo's desk, a deal in every state, and all there is to see of it. */
export async function fillDesk(service: TestService): Promise<Sights> {
  await fillDemo(readSettings({ DATABASE_URL: service.database.url }))
  const { request } = service
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const [rich = '', held = '', done = '', off = '', gone = ''] = await Promise.all(
    ['Roof', 'Lift', 'Oven', 'Vans', 'Lamps'].map(async (name, at) => {
      const { id } = await openDeal(service, {
        name,
        customerId: at + 1,
        owner: 'Mila Sanz',
        description: 'Two lines\nof text.',
        completionDate: day(at * 3 - 4),
      })
      return `${DEALS}/${id}`
    }),
  )
  await request('POST', `${rich}/payments`, { body: { amount: 12.5, reference: 'INV-1' } })
  await request('POST', `${rich}/completion-date-changes`, {
    body: { newDate: day(2), amercement: 5, whyChanged: 'x' },
  })
  await request('PUT', `${held}/commands/hold-1`, { body: { action: 'hold', params: { reason: 'credit check' } } })
  await request('PUT', `${held}/commands/complete-1`, { body: { action: 'complete' } })
  await request('POST', `${done}/completions`, { body: {} })
  await request('POST', `${done}/archivals`, { body: {} })
  await request('POST', `${off}/cancellations`, { body: { reason: 'withdrew', amercement: 3 } })
  await request('POST', `${gone}/deletions`, { body: {} })
  const tasks = await Promise.all(
    [
      { title: 'Call Ana', dealId: rich.slice(`${DEALS}/`.length), assignee: 'mila', dueOn: day(-1), note: 'x' },
      { title: 'Send the offer', customerId: 2, dueAt: `${day(0)}T09:30:00.000Z` },
      { title: 'Visit', assignee: 'mila', dueOn: day(3) },
    ].map(async (body) => `${TASKS}/${(await request('POST', TASKS, { body })).body.id}`),
  )
  const [open = '', finished = ''] = tasks
  await request('POST', `${finished}/finishings`, { body: {} })
  // Names as people must never see them work, and as wide as they come.
  const hostile = await openDeal(service, {
    name: `<script>alert(1)</script> ${'w'.repeat(170)}`,
    price: 999_999_999_999.99,
    completionDate: '2020-02-29',
  })
  const subscribed = await request('POST', '/webhooks', { body: { url: 'https://example.com/hook' } })
  const webhook = String(subscribed.headers.location)
  await request('POST', `${rich}/notes`, { body: { text: 'x' } })
  const number = await firstDelivery(service, webhook)
  await addPeople(service)
  const imports = await uploadAll(service)
  const addresses = [
    '/',
    '/board',
    '/board?owner=nobody',
    DEALS,
    `${DEALS}?status=open&price.gte=10&sort=-price`,
    `${DEALS}?name.regex=nothing-like-it`,
    `${DEALS}?fields=stage,price,description,createdAt&maxpagesize=5`,
    `${DEALS}?deleted=true`,
    ...[rich, held, done, off, gone, `${DEALS}/${hostile.id}`],
    `${rich}/actions`,
    `${rich}/history`,
    `${rich}/history/1`,
    `${rich}/notes`,
    `${rich}/holds`,
    `${held}/commands`,
    `${held}/actions/complete`,
    '/customers?age.gte=20&age.lte=29',
    '/customers/1',
    '/customers/1/history',
    '/confirm/customer/1/delete',
    '/confirm/user/mila/remove',
    `/confirm/webhook/${idOf(webhook)}/remove`,
    '/new/deals?customerId=1&return=/customers/1',
    '/new/customers',
    '/events?sort=-sequence',
    '/reports',
    ...reports.map(({ name }) => `/reports/${name}`),
    '/reports/won-and-lost?from=2020-01-01&until=2020-01-31&person=nobody',
    '/imports',
    ...imports,
    '/webhooks',
    webhook,
    `${webhook}/deliveries`,
    `${webhook}/deliveries/${number}`,
    '/rest/commands',
    '/rest/commands/hold-1',
    '/rest/commands/complete-1',
    `${TASKS}?status=open&sort=dueOn`,
    `${TASKS}?assignee=nobody&q=nothing`,
    TASKS,
    ...[open, finished, `${finished}/history`, `${finished}/history/2`, `${finished}/finishings`, `${rich}/tasks`],
    '/query',
    '/rest',
    '/problems',
    '/problems/wrong-state',
    '/nothing-here',
    `${DEALS}?status=opened&prise=1`,
    '/customers?format=frob',
    '/search?q=so',
    '/search?q=nothing-like-it',
    '/search',
    '/docs',
    '/docs/hold',
    '/docs/parts',
    '/docs/doors/rpc',
    '/users',
    '/users/mila',
    '/users/head',
    '/people',
    '/sign-in?return=/board',
    '/users/mila/sessions',
    '/users/mila/keys',
    '/audit',
    '/people/mila',
    '/rates',
    '/targets',
    '/new/targets',
    '/people/Mila%20Sanz',
    '/audit',
  ]
  return {
    pages: [
      ...addresses.map((path) => ({ path })),
      { path: `${rich}/price-changes`, form: { newPrice: '1.234', _revision: '4' } },
      { path: `${rich}/renamings`, form: { newName: 'Roof two', _revision: '1' } },
      { path: `${held}/completions`, form: { note: 'signed' } },
      { path: `${DEALS}/`, form: { name: '', price: '1' } },
      { path: '/changes/deals', form: { _operation: 'move', [idOf(rich)]: 'on', [idOf(held)]: 'on' } },
      {
        path: '/changes/deals',
        form: { _operation: 'move', [idOf(rich)]: 'on', [idOf(held)]: 'on', stage: 'contract', _step: 'preview' },
      },
      { path: '/changes/deals', form: { _operation: 'delete' } },
      { path: '/changes/customers', form: { _operation: 'delete', '1': 'on', '30': 'on' } },
      { path: `${DEALS}/`, form: { name: 'Roof', price: '1', customerId: 'an' } },
      { path: `${DEALS}/`, form: { name: 'Roof', price: '1', '_customerId.email': 'nobody', _return: '/board' } },
      { path: '/customers', form: { name: 'Ana', age: '200' } },
      { path: '/customers/1/edits', form: { name: 'Ana', age: '200', _revision: '1' } },
      { path: '/customers/1/edits', form: { name: 'Ana', age: '50', _revision: '7' } },
      { path: '/customers/1/deletions', form: { _revision: '1' } },
      { path: TASKS, form: { title: '' } },
      { path: `${open}/changes`, form: { dueOn: 'never', _revision: '1' } },
      { path: `${finished}/finishings`, form: {} },
      { path: '/sign-in', form: { name: 'mila', password: 'not the password', return: '/board' } },
      { path: '/users', form: { name: 'me', role: 'boss' } },
      { path: '/users', form: { name: 'invited', role: 'reader' } },
      { path: '/users/mila/passwords', form: { password: 'short' } },
      { path: '/users/mila/edits', form: { email: 'nobody', _revision: '1' } },
      { path: '/users/mila/keys', form: { name: 'mila-export', role: 'admin' } },
      { path: '/webhooks', form: { url: 'http://127.0.0.1/hook', types: 'deal.nothing' } },
    ],
    operations: dealOperations.map(({ name }) => ({ path: `${rich}/actions/${name}` })),
  }
}

const idOf = (address: string): string => address.split('/').at(-1) ?? ''

/** Who looks at the pages once there are users. */
export const HEAD = basic('head')

/** From here on the service is closed. */
async function addPeople({ store, request }: TestService): Promise<void> {
  const now = new Date().toISOString()
  for (const [name, role] of [
    ['head', 'admin'],
    ['mila', 'editor'],
  ] as const) {
    await addUser(store, { name, role, password: `password of ${name}` })
  }
  await addKey(store, {
    name: 'mila-import',
    user: 'mila',
    role: 'reader',
    endsAt: '2120-01-01T00:00:00.000Z',
  })
  const session = {
    id: '01936f2e-5d3c-7a41-8f6b-000000000001',
    user: 'mila',
    client: 'Firefox on Linux',
    address: '192.0.2.1',
    createdAt: now,
    endsAt: '2120-01-01T00:00:00.000Z',
    seenAt: now,
  }
  await store.accounts.openSession({ session, hash: 'a hash' }, undefined, operator, 'password')
  while ((await request('GET', '/users')).status !== 401) await setTimeout(50)
  // Pages show everything that there is.
  const asked = await request('PATCH', '/users/head', { headers: HEAD, body: { developer: true } })
  if (asked.status !== 200) throw new Error(asked.text)
}

export async function firstDelivery({ request }: TestService, webhook: string): Promise<number> {
  for (;;) {
    const { body } = await request('GET', `${webhook}/deliveries`)
    const [first] = body.items as readonly { readonly number: number }[]
    if (first !== undefined) return first.number
    await setTimeout(50)
  }
}
