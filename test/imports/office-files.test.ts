import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type OwnDatabase, ownSqlite } from '../support/database/own-database.ts'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import { type Desk, openDesk } from '../support/service/running-command.ts'
import type { Shown } from '../support/service/running-service.ts'
import { amounts } from './offices/amounts.ts'
import type { Answers, OfficeFile } from './offices/office-file.ts'
import { products } from './offices/products.ts'
import { texts } from './offices/texts.ts'
import { workbooks } from './offices/workbooks.ts'

// Files as offices have them: with at most one screen of answers every row comes in right, or is refused with its reason,
// by the service and by the command line; and an import is undone whole.

const files: readonly OfficeFile[] = [...workbooks, ...texts, ...amounts, ...products]

const paths = { deals: '/rest/v1/deals', customers: '/customers', tasks: '/rest/v1/tasks' } as const

let database: OwnDatabase
let service: ClosedService
let desk: Desk
before(async () => {
  database = await ownSqlite()
  service = await runClosedService({ DATABASE_URL: database.url })
  desk = openDesk({ DATABASE_URL: database.url, TZ: 'UTC' })
  const bert = { name: 'bert', fullName: 'Bert Öztürk', email: 'bert@example.com', role: 'editor' }
  await made('/users', { ...bert, password: 'correct horse battery' })
  await made('/customers', { name: 'Gerda Blum', email: 'gerda.blum@example.de' })
  await made('/fields', { on: 'deal', name: 'discount', title: 'Rabatt', kind: 'number' })
  await made('/fields', { on: 'customer', name: 'vip', title: 'Wichtig', kind: 'boolean' })
})
after(async () => {
  await desk[Symbol.asyncDispose]()
  await service.close()
  database.remove()
})

const ask = (method: string, path: string, body?: object, headers: object = {}) =>
  service.request(method, path, { headers: { ...bearer(service.keys.admin), ...headers }, ...(body && { body }) })

async function made(path: string, body: object): Promise<void> {
  const { status, text } = await ask('POST', path, body)
  assert.equal(status, 201, text)
}

async function settled(address: string): Promise<Shown> {
  for (;;) {
    const { body, status, text } = await ask('GET', address)
    assert.equal(status, 200, text)
    if (body.isRunning !== true) return body
    await pause(5)
  }
}

const itemsOf = async (path: string): Promise<readonly Shown[]> =>
  ((await ask('GET', path)).body.items ?? []) as readonly Shown[]

/** What there is, without what a change changes. */
async function everything(): Promise<unknown> {
  const all = await Promise.all(Object.values(paths).map((path) => itemsOf(`${path}?maxpagesize=1000`)))
  return all.map((things) => things.map(({ revision: _revision, updatedAt: _updatedAt, ...thing }) => thing))
}

/** Every row of the file came in as a person reads it. */
async function cameIn({ of, rows, title }: OfficeFile): Promise<void> {
  const customers = new Map((await itemsOf('/customers?sort=id&maxpagesize=1000')).map(({ name, id }) => [name, id]))
  for (const { customer, ...row } of rows) {
    const by = 'reference' in row ? 'reference' : of === 'tasks' ? 'title' : 'name'
    const [thing, ...others] = await itemsOf(`${paths[of]}?${by}=${encodeURIComponent(String(row[by]))}`)
    assert.ok(thing !== undefined && others.length === 0, `${title}: ${row[by]}`)
    const named = customer === undefined ? {} : { customerId: customers.get(String(customer)) }
    assert.partialDeepStrictEqual(thing, { ...row, ...named }, title)
  }
}

const typeOf = (name: string): string =>
  name.endsWith('.xlsx') ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' : 'text/csv'

/** The number of rows: a large file names a few of its rows. */
const countOf = ({ rows, title }: OfficeFile): number => (title.startsWith('20,000') ? 20_000 : rows.length)

/** The lines that were refused, with the codes of their reasons. */
const refusedIn = (body: Shown): ReadonlyMap<number, readonly string[]> => {
  const found = new Map<number, string[]>()
  for (const { code, rows, emptied } of body.faults as readonly Shown[])
    if (emptied !== true)
      for (const line of rows as readonly number[]) found.set(line, [...(found.get(line) ?? []), String(code)])
  return new Map([...found].toSorted(([one], [other]) => one - other))
}

suite('an office’s file comes in', () => {
  for (const file of files) {
    const { title, name, of, content, answers, refused = [] } = file
    test(`by the service: ${title}`, async () => {
      const before = await everything()
      const address = `/imports?on=${of.slice(0, -1)}&name=${encodeURIComponent(name)}`
      const sent = await ask('POST', address, content, { 'content-type': typeOf(name) })
      assert.equal(sent.status, 201, sent.text)
      const at = String(sent.headers.location)
      await settled(at)
      if (answers !== undefined) {
        const { status, text } = await ask('PATCH', at, answers)
        assert.equal(status, 200, text)
      }
      const checked = await settled(at)
      assert.deepEqual([checked.stage, checked.asked], ['ready', []])
      assert.deepEqual(
        [...refusedIn(checked)],
        refused.map(([line, ...codes]) => [line, codes]),
      )
      assert.deepEqual([checked.inserted, checked.updated], [countOf(file), 0])
      assert.equal((await ask('POST', `${at}/runs`)).status, 202)
      const done = await settled(at)
      assert.deepEqual([done.stage, done.inserted, done.rejected], ['done', countOf(file), refused.length])
      await cameIn(file)
      const undone = await ask('POST', `${at}/undoings`)
      assert.equal(undone.status, 200, undone.text)
      assert.deepEqual(await everything(), before)
    })

    test(`by the command line: ${title}`, async () => {
      const before = await everything()
      const at = desk.write(name, content)
      const { code, stdout, stderr } = await desk.run(['import', of, at, ...optionsOf(answers ?? {})])
      assert.equal(code, refused.length === 0 ? 0 : 1, stderr)
      const counts = `inserted ${countOf(file).toLocaleString('en')}, updated 0, unchanged 0, rejected ${refused.length} in`
      assert.ok(stdout.startsWith(counts), `${stdout}${stderr}`)
      await cameIn(file)
      const [latest] = await itemsOf('/imports?stage=done')
      const undone = await ask('POST', `/imports/${latest?.id}/undoings`)
      assert.equal(undone.status, 200, undone.text)
      assert.deepEqual(await everything(), before)
    })
  }

  /** The same answers as options. */
  function optionsOf({
    columns = {},
    values,
    defaults = {},
    sheet,
    headings,
    create,
    badCells,
  }: Answers): readonly string[] {
    const mapped = Object.entries(columns).flatMap(([heading, { field, unit, decimal, dates, currency }]) => [
      ...(field === undefined && unit === undefined
        ? []
        : ['--map', `${heading}=${field ?? 'price'}${unit === undefined ? '' : `*${unit}`}`]),
      ...(decimal === undefined ? [] : ['--decimal', decimal]),
      ...(dates === undefined ? [] : ['--dates', dates]),
      ...(currency === undefined ? [] : ['--currency', currency]),
    ])
    return [
      ...mapped,
      ...(values === undefined ? [] : ['--values', desk.write('values.json', JSON.stringify({ values }))]),
      ...Object.entries(defaults).flatMap(([field, value]) => ['--default', `${field}=${value}`]),
      ...(sheet === undefined ? [] : ['--sheet', sheet]),
      ...(headings === undefined ? [] : ['--headings', String(headings)]),
      ...(create === undefined ? [] : ['--create', create]),
      ...(badCells === undefined ? [] : ['--bad-cells', badCells]),
    ]
  }
})
