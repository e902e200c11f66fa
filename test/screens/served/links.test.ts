import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { openMaintenance } from '../../../src/store/open.ts'
import { fillDesk, firstDelivery, HEAD } from '../../support/browser/sights.ts'
import { basic } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { type Answered, runService, type TestService } from '../../support/service/running-service.ts'

const TASKS = '/rest/v1/tasks'
const HTML = { accept: 'text/html,*/*;q=0.8' }
const PASSWORD = 'a password of nobody'

let service: TestService
/** The pages of a full desk, and those that tell of what is gone. */
let usual: readonly string[]
let telling: readonly string[]

async function send(method: string, path: string, body?: object, as = HEAD): Promise<Answered> {
  const answer = await service.request(method, path, { headers: as, ...(body && { body }) })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
  return answer
}

const make = async (path: string, body: object, as = HEAD): Promise<string> =>
  String((await send('POST', path, body, as)).headers.location)

const look = (path: string): Promise<Answered> => service.request('GET', path, { headers: { ...HEAD, ...HTML } })

const idOf = (address: string): string => address.split('/').at(-1) ?? ''

/** What lists, histories, activities, commands and deliveries name although it is gone, and people who are no users. */
async function leaveBehind(): Promise<readonly string[]> {
  const stages = [{ name: 'first', title: 'First' }]
  const [person, retired, buried, , pipeline, webhook] = await Promise.all([
    make('/fields', { on: 'task', name: 'checkedBy', title: 'Checked by', kind: 'user' }),
    make('/fields', { on: 'deal', name: 'fax', title: 'Fax', kind: 'text' }),
    make('/fields', { on: 'deal', name: 'telex', title: 'Telex', kind: 'text' }),
    make('/fields', {
      on: 'customer',
      name: 'tags',
      title: 'Tags',
      kind: 'choices',
      options: { values: [{ value: 'a', title: 'A' }] },
    }),
    make('/pipelines', { name: 'rentals', title: 'Rentals', stages }),
    make('/webhooks', { url: 'https://example.com/gone', types: ['customer.created'] }),
    make('/users', { name: 'ghost', role: 'admin', password: PASSWORD }),
    make('/users', { name: 'former', role: 'editor', password: PASSWORD }),
  ])
  const ghost = basic('ghost', PASSWORD)
  const customer = await make('/customers', { name: 'Gone Ltd' }, ghost)
  const number = await firstDelivery({ ...service, request: (method, path) => send(method, path) }, webhook)
  await send('PUT', '/rest/commands/gone-1', { action: 'CreateCustomer', params: { name: 'Gone Inc' } })
  const [commanded] = (await send('GET', '/customers?name=Gone%20Inc')).body.items as readonly { id: number }[]
  const [task, target, deal, deleted, purged] = await Promise.all([
    make(TASKS, { title: 'Kept', assignee: 'ghost', customerId: 3, own: { checkedBy: 'ghost' } }),
    make('/targets', { user: 'ghost', from: '2026-02-01', to: '2026-02-28', amount: 1, currency: 'EUR' }),
    make(`${DEALS}/`, { name: 'Kept', price: 1, owner: 'former', own: { fax: '1' }, pipeline: 'rentals' }),
    make(`${DEALS}/`, { name: 'Deleted', price: 1, owner: 'ghost', own: { telex: '1' } }),
    make(`${DEALS}/`, { name: 'Purged', price: 1 }),
  ])
  const gone = await Promise.all([
    make(TASKS, { title: 'Gone', assignee: 'ghost' }),
    make('/rates', { currency: 'ISK', perUnit: 0.007, since: '2026-01-01' }),
    make('/views', { name: 'Gone', collection: 'deals', query: 'status=open', shared: true }),
    make('/targets', { user: 'ghost', from: '2026-01-01', to: '2026-01-31', amount: 1, currency: 'EUR' }),
  ])
  await make(TASKS, { title: 'Of a deleted deal', dealId: idOf(deleted) })
  await send('PATCH', deal, { customerId: Number(idOf(customer)) })
  await send('PATCH', deal, { customerId: null })
  // An import leaves no entry of the first revision.
  await send('PATCH', '/customers/30', { age: 40 })
  await send('DELETE', purged)
  await send('PUT', `${buried}/retired`)
  const maintenance = await openMaintenance({ databaseUrl: service.database.url }, { mustExist: true })
  await Array.fromAsync(maintenance.purge(new Date(Date.now() + 60_000).toISOString(), { dryRun: false }))
  for (const each of [...gone, customer, `/customers/${commanded?.id}`, deleted])
    await send('DELETE', each, undefined, ghost)
  for (const each of ['/users/ghost', '/users/former']) await send('DELETE', each)
  await send('PUT', `${retired}/retired`)
  const histories = [deal, deleted, task, '/customers/30'].flatMap((of) => [
    of,
    ...['', '?sort=-revision', '/2'].map((entry) => `${of}/history${entry}`),
  ])
  return [
    ...['/', '/events', '/events?sort=sequence', '/events?type=task.created', '/events?actor=ghost', '/audit'],
    ...['/fields', '/pipelines', '/board?pipeline=rentals', '/customers', '/targets', '/rates', '/views'],
    ...[
      DEALS,
      `${DEALS}?deleted=true`,
      TASKS,
      '/reports/activity',
      '/reports/targets?from=2026-02-01&until=2026-02-28',
    ],
    ...['/people/former', '/search?q=gone', '/rest/commands', '/rest/commands/gone-1'],
    ...[`${webhook}/deliveries`, `${webhook}/deliveries/${number}`],
    ...[person, retired, buried, pipeline, target, ...histories],
  ]
}

/** The addresses that a page links to. */
const linksOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
    ),
  )

/** Alike addresses differ by ids and names, and by what a query asks for besides an order. */
function shapeOf(link: string): string {
  const { pathname, searchParams } = new URL(link, service.url)
  const path = pathname.replace(/\/([0-9a-f-]{36}|\d+)(?=[/.]|$)|(?<=\/(people|users|commands)\/)[^/]+/g, '*')
  return `${path} ${searchParams.get('sort') ?? ''}`
}

/** So many alike links are followed; of pages that tell of what is gone, all that lead to something by its id or name. */
const SOME = 1

suite('links', () => {
  before(async () => {
    service = await runService()
    const { pages } = await fillDesk(service)
    telling = await leaveBehind()
    usual = pages.filter(({ form }) => form === undefined).map(({ path }) => path)
    // The names of users are known for a second.
    while ((await look('/audit')).text.includes('href="/users/ghost"'));
  })

  test('of every page lead to what is there, whatever is gone', async () => {
    const answers = new Map<string, Promise<Answered>>()
    const followed = new Map<string, number>()
    const broken: string[] = []
    const open = (path: string): Promise<Answered> => {
      const answer = answers.get(path) ?? look(path)
      answers.set(path, answer)
      return answer
    }
    for (const path of new Set([...telling, ...usual])) {
      const page = await open(path)
      for (const link of linksOf(page.text)) {
        const shape = shapeOf(link)
        const times = followed.get(shape) ?? 0
        if (times >= SOME && !(telling.includes(path) && shape.includes('* '))) continue
        followed.set(shape, times + 1)
        const { status, text } = await open(link)
        // The same problem in another representation; the page of a deleted deal, which offers to restore it.
        const isMeant =
          (page.status >= 400 && status === page.status) || (status === 410 && text.includes('/restorations"'))
        if (status >= 400 && !isMeant) broken.push(`${path}: ${link} is ${status}`)
      }
    }
    assert.deepEqual(broken, [])
  })

  test('lead from a deal to its owner, who is no user any more', async () => {
    const { text } = await look(`${DEALS}?owner=former`)
    assert.match(text, /<a href="\/people\/former">former<\/a>/)
    assert.equal((await look('/people/former')).status, 200)
  })
})
