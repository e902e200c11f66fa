import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { operationNamed } from '../../src/model/schema/resources.ts'
import { requestsFor } from '../support/deals/form-requests.ts'
import { adapters } from '../support/doors/adapters.ts'
import { deal as deals } from '../support/schema.ts'
import { fileForm } from '../support/service/file-form.ts'
import type { Shown, TestService } from '../support/service/running-service.ts'
import { grownCopy } from './grown-copy.ts'

// One more language, which is a file; one more resource with a projection, operation, fact of decisions, form, door, dialect, representation, description and named query, each a file and an entry in a list;
// a right of callers; and a column, which is a field in the declaration and a migration for each store.

const copy = grownCopy()
after(() => copy.remove())

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [program, ...args], { cwd: copy.path, encoding: 'utf8' })

test('what is generated follows, and the types hold without another edit', () => {
  run('tools/generate/main.ts')
  const client = readFileSync(join(copy.path, 'src/client.ts'), 'utf8')
  assert.match(client, /remind: \['reminded', 'reminders', 'RemindDeal'\]/)
  assert.match(client, /please: \(of\) => \['POST', `\/rest\/v1\/deals\/\$\{of.deal\}\/please\/\$\{of.name\}`/)
  assert.match(readFileSync(join(copy.path, 'docs/errors.md'), 'utf8'), /^## errand-not-found$/m)
  assert.equal(run('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'), '')
})

test('a new kind of value is a compiler error in each table of kinds, of which there are ten at most', () => {
  const declared = join(copy.path, 'src/values/kinds/kind.ts')
  const text = readFileSync(declared, 'utf8')
  writeFileSync(declared, text.replace("  | 'text'\n", "  | 'text'\n  | 'colour'\n"))
  const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'], {
    cwd: copy.path,
    encoding: 'utf8',
  })
  writeFileSync(declared, text)
  const files = new Set([...stdout.matchAll(/^([^\s(]+)\(.*error TS/gm)].map(([, file = '']) => file))
  const tables = [...files].filter((file) => readFileSync(join(copy.path, file), 'utf8').includes('Record<KindName, '))
  assert.ok(tables.length >= 5 && tables.length <= 10, stdout)
  // The others use a table.
  assert.deepEqual(
    [...files].filter((file) => !tables.includes(file)),
    [],
  )
})

for (const store of ['sqlite', 'postgres']) {
  describe(`what is added works on ${store}`, () => {
    // What a form, a page and a document look like does not depend on the store.
    const once = store === 'sqlite' ? test : () => undefined
    let service: TestService
    let errand: Shown
    let deal: Shown

    /** Each exchange is held against the OpenAPI document of the copy. */
    before(async () => {
      // The copy has one of its own.
      delete process.env.TEST_OPENAPI
      const { runService } = (await import(
        join(copy.path, 'test/support/service/running-service.ts')
      )) as typeof import('../support/service/running-service.ts')
      process.env.TEST_STORE = store
      service = await runService()
      assert.equal(service.database.url.startsWith('postgres:'), store === 'postgres')
      deal = await made('/rest/v1/deals/', { name: 'Forty espresso machines', price: 51800 })
      errand = await made('/errands', { name: 'Call Ana Ruiz', urgency: 4, dealId: deal.id })
    })
    after(() => service.close())

    async function made(path: string, body: object): Promise<Shown> {
      const answer = await service.request('POST', path, { body })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    }

    async function read(path: string): Promise<Shown> {
      const answer = await service.request('GET', path)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }

    async function page(path: string, more = {}): Promise<string> {
      const asking = { accept: 'text/html', ...more }
      const { status, headers, text } = await service.request('GET', path, { headers: asking })
      assert.equal(status, 200, text)
      assert.match(String(headers['content-type']), /^text\/html/)
      return text
    }

    once('a language is spoken to those who prefer it', async () => {
      const italian = { accept: 'text/html', 'accept-language': 'it-CH, en;q=0.5' }
      const { text, headers } = await service.request('GET', '/', { headers: italian })
      assert.match(text, /<html lang="it" dir="ltr">/)
      assert.match(text, />Oggi</)
      assert.equal(headers.vary, 'Accept, Accept-Encoding, Accept-Language')
    })

    const idsAt = async (path: string): Promise<readonly unknown[]> =>
      (await read(path)).items?.map((item) => (item as Shown).id) ?? []

    const eventsOf = async (filter: string): Promise<readonly Shown[]> => {
      await service.database.settled()
      return ((await read(`/events?${filter}`)).items ?? []) as readonly Shown[]
    }

    test('a resource is made, read, changed, replaced and deleted, and its rules hold', async () => {
      const { id } = await made('/errands', { name: 'Send the offer' })
      const self = `/errands/${id}`
      const change = async (method: string, path: string, body: object, status = 200): Promise<Shown> => {
        const answer = await service.request(method, path, { body })
        assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
        return answer.body
      }
      assert.equal((await change('PATCH', self, { dueOn: '2027-03-31' })).dueOn, '2027-03-31')
      assert.equal((await change('PUT', self, { name: 'Send it' })).dueOn, null)
      assert.equal((await change('PUT', `${self}/change`, { urgency: 5 })).urgency, 5)
      assert.equal((await change('POST', `${self}/edits`, { urgency: 2 }, 201)).type, 'errand.changed')
      assert.equal((await change('PUT', self, { action: 'finish' })).finished, true)
      const refused = await change('PUT', '/rest/commands/finish-again', { errand: id, action: 'FinishErrand' }, 409)
      assert.equal(refused.detail, 'finish is not allowed: the errand is finished.')
      assert.deepEqual(refused.allowed, ['change', 'delete'])
      await change('PATCH', self, { dealId: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a99' }, 422)
      await change('PUT', `${self}/commands/urgent`, { action: 'ChangeErrand', params: { urgency: 1 } }, 201)
      await change('POST', '/command/ChangeErrand/', { id, urgency: 3 })
      assert.equal((await service.request('DELETE', self)).status, 204)
      assert.equal((await service.request('GET', self)).body.code, 'errand-not-found')
      const types = (await eventsOf(`errand=${id}`)).map(({ type }) => type)
      const changed = 'errand.changed'
      assert.deepEqual(types, [
        ...[
          'errand.created',
          changed,
          changed,
          changed,
          changed,
          'errand.finished',
          changed,
          changed,
          'errand.deleted',
        ],
      ])
    })

    test('a projection is written with the events, listed, and filtered and grouped by', async () => {
      const { id, createdAt } = await made('/errands', { name: 'Pack', urgency: 1 })
      const self = `/errands/${id}`
      for (const [method, body] of [
        ['PATCH', { urgency: 2 }],
        ['PATCH', { name: 'Pack up' }],
        ['PUT', { action: 'finish' }],
      ] as const) {
        assert.equal((await service.request(method, self, { body })).status, 200)
      }
      const { items = [] } = await read(`/urgencies?errandId=${id}&sort=revision`)
      const rows = items as readonly Shown[]
      assert.deepEqual(
        rows.map(({ revision, urgency, finished }) => [revision, urgency, finished]),
        [
          [1, 1, false],
          [2, 2, false],
          [4, 2, true],
        ],
      )
      assert.equal(rows[0]?.since, createdAt)
      assert.deepEqual(
        rows.map(({ until }) => until),
        [...rows.slice(1).map(({ since }) => since), null],
      )
      assert.deepEqual(await idsAt(`/errands?finishedAt.gte=${rows[2]?.since}&name=Pack+up`), [id])
      const { items: groups } = await read(`/urgencies?errand.name=Pack+up&group=urgency&measure=count,count.seconds`)
      assert.deepEqual(groups, [
        { urgency: 1, count: 1, 'count.seconds': 1 },
        { urgency: 2, count: 2, 'count.seconds': 1 },
      ])
      await service.request('DELETE', self)
      assert.deepEqual((await read(`/urgencies?errandId=${id}`)).items, [])
    })

    test('a resource has a history, commands, actions, and links both ways', async () => {
      const self = `/errands/${errand.id}`
      assert.equal((await read(`${self}/history`)).items?.length, 1)
      assert.equal((await read(`${self}/history/1`)).type, 'errand.created')
      assert.equal((await read(`${self}/actions`)).items?.length, 3)
      assert.equal((await read(`${self}/actions/finish`)).allowed, true)
      assert.deepEqual((await read(`${self}/commands`)).items, [])
      assert.equal(errand.links.deal, `/rest/v1/deals/${deal.id}`)
      const { links } = await read(`/rest/v1/deals/${deal.id}`)
      assert.deepEqual(await idsAt(String(links.errands)), [errand.id])
      assert.equal((await read('/')).links.errands, '/errands')
    })

    test('a resource is grouped and measured, also by what it refers to', async () => {
      const { items } = await read('/errands?group=deal.stage,deal.currency&measure=count,sum.deal.price,max.urgency')
      assert.deepEqual(items, [
        { 'deal.stage': 'lead', 'deal.currency': 'EUR', count: 1, 'sum.deal.price': 51800, 'max.urgency': 4 },
      ])
    })

    test('a resource is filtered by what it refers to, and shown with it, both ways', async () => {
      assert.deepEqual(await idsAt('/errands?deal.stage=lead&deal.price>=51800'), [errand.id])
      assert.deepEqual(await idsAt('/errands?deal.name:regex=^Forty'), [errand.id])
      assert.deepEqual(await idsAt('/errands?deal.stage.gt=lead'), [])
      const [shown] = (await read('/errands?expand=deal')).items ?? []
      assert.equal((shown as unknown as { deal: Shown }).deal.id, deal.id)
      const { errands } = (await read(`/rest/v1/deals/${deal.id}?expand=errands,customer`)) as unknown as {
        errands: { items: readonly Shown[]; hasMore: boolean }
      }
      assert.deepEqual([errands.items.map(({ id }) => id), errands.hasMore], [[errand.id], false])
      const { text } = await service.request('GET', '/errands.csv?fields=name,deal.name')
      assert.equal(text, 'name,deal.name\r\nCall Ana Ruiz,Forty espresso machines\r\n')
    })

    once('a resource can be had in every representation, the added one too', async () => {
      for (const [format, type] of Object.entries({
        json: /"name":"Call Ana Ruiz"/,
        xml: /<errand><id>|<errand xmlns/,
        html: /Call Ana Ruiz/,
        csv: /^id,name,dueOn,urgency,dealId,finished,/,
        ndjson: /^\{"id":/,
        txt: /^Errands\n\{\n/,
      })) {
        const { status, text } = await service.request('GET', `/errands.${format}`)
        assert.equal(status, 200, text)
        assert.match(text, type)
      }
      const plain = await service.request('GET', `/errands/${errand.id}`, { headers: { accept: 'text/plain' } })
      assert.match(plain.text, /^Call Ana Ruiz\n\{\n {2}"id"/)
      assert.equal(plain.headers['content-type'], 'text/plain; charset=utf-8')
    })

    test('a resource is filtered and sorted in every dialect, the added one too', async () => {
      const { id } = await made('/errands', { name: 'Another', urgency: 1 })
      for (const filter of ['urgency.gte=4', 'urgency>=4', 'min-urgency=4', 'urgency=4', 'urgency:gte=4']) {
        assert.deepEqual(await idsAt(`/errands?${filter}`), [errand.id], filter)
      }
      assert.deepEqual(await idsAt('/errands?name:regex=^(Another|Call)&sort=urgency'), [id, errand.id])
      assert.deepEqual(await idsAt(`/rest/v1/deals?name:eq=Forty+espresso+machines`), [deal.id])
    })

    test('a resource is searched, also by the name of what it refers to', async () => {
      const { id } = await made('/errands', { name: 'Rufe José Weiß an' })
      for (const text of ['JOSE', 'weiss+ruf', 'jos%C3%A9'])
        assert.deepEqual(await idsAt(`/errands?q=${text}`), [id], text)
      assert.deepEqual(await idsAt('/errands?q=espresso+ruiz'), [errand.id])
      assert.deepEqual(await idsAt('/errands?q=jose+espresso'), [])
      const found = (await read('/search?q=jose')).items?.map((item) => (item as Shown).href)
      assert.deepEqual(found, [`/errands/${id}`])
      await service.request('PATCH', `/errands/${id}`, { body: { name: 'Done' } })
      assert.deepEqual(await idsAt('/errands?q=jose'), [])
      assert.deepEqual((await read('/search?q=jose')).items, [])
    })

    test('a column is given, filtered, changed, shown and told of', async () => {
      const { id, vatNumber } = await made('/customers', { name: 'Ana Ruiz', vatNumber: 'ESB12345678' })
      assert.equal(vatNumber, 'ESB12345678')
      await made('/customers', { name: 'Jonas Weber' })
      assert.deepEqual(await idsAt('/customers?vatNumber.regex=^ES'), [id])
      assert.match((await service.request('GET', '/customers.csv')).text, /,phone,vatNumber,reference,createdAt,/)
      const self = `/customers/${id}`
      const changed = await service.request('PATCH', self, { body: { vatNumber: 'ESB87654321' } })
      assert.equal(changed.body.vatNumber, 'ESB87654321', changed.text)
      const replaced = await service.request('PUT', self, { body: { name: 'Ana Ruiz' } })
      assert.equal(replaced.body.vatNumber, null, replaced.text)
      const changes = (await eventsOf(`customer=${id}&type=customer.changed`)).map(({ data }) => (data as Shown).params)
      assert.deepEqual(changes, [{ vatNumber: 'ESB87654321' }, { vatNumber: null }])
      assert.match(await page(self), /name="vatNumber"/)
      assert.match(await page('/docs'), /<code>vatNumber<\/code>/)
    })

    test('a named query finds what it should', async () => {
      const { body } = await service.request('GET', '/query/errands-by-urgency/4')
      assert.deepEqual(
        (body as unknown as readonly Shown[]).map(({ id }) => id),
        [errand.id],
      )
    })

    test('a fact is told to the decision that asks for it, as the earlier ones of a batch have left it', async () => {
      const { id } = await made('/rest/v1/deals/', { name: 'Errands', price: 1 })
      const { id: first } = await made('/errands', { name: 'One', dealId: id })
      const remind = { deal: id, action: 'RemindDeal', params: { on: '2027-03-31' } }
      const together = (commands: readonly object[]) =>
        service.request('POST', '/rest/v1/batch', { body: { atomic: true, commands } })
      const errand = { action: 'CreateErrand', params: { name: 'Two', dealId: id } }
      const refused = await together([errand, remind])
      assert.equal(refused.status, 409, refused.text)
      assert.match(refused.text, /the deal has open errands/)
      assert.equal((await together([remind])).status, 200)
      await made('/errands', { name: 'Two', dealId: id })
      assert.equal((await service.request('PUT', `/rest/v1/deals/${id}/remind`, { body: remind.params })).status, 422)
      assert.equal((await together([{ errand: first, action: 'FinishErrand' }, remind])).status, 200)
    })

    once('an operation is asked for in every form, the added one too', async () => {
      const { id } = await made('/rest/v1/deals/', { name: 'Reminded', price: 1 })
      const self = `/rest/v1/deals/${id}`
      const params = { on: '2027-03-31' }
      const action = { action: 'RemindDeal', params }
      for (const [method, path, body] of [
        ['PUT', `${self}/remind`, params],
        ['PUT', `${self}/reminded`, params],
        ['PUT', self, action],
        ['POST', `${self}/reminders`, params],
        ['PUT', `${self}/commands/remind-1`, action],
        ['PUT', '/rest/commands/remind-2', { deal: id, ...action }],
        ['POST', '/command/RemindDeal/', { id, ...params }],
        ['POST', `${self}/please/remind`, params],
      ] as const) {
        const { status, text } = await service.request(method, path, { body })
        assert.ok(status === 200 || status === 201, `${method} ${path}: ${status} ${text}`)
      }
      const reminders = await eventsOf(`deal=${id}&type=deal.reminded`)
      assert.deepEqual(
        reminders.map(({ data }) => (data as Shown).form),
        ['verb', 'participle', 'single-update', 'noun', 'deal-command', 'command', 'command-endpoint', 'please'],
      )
      assert.equal((await service.request('POST', `${self}/please/remind`, { body: {} })).status, 422)
      assert.equal((await service.request('POST', `${self}/please/hold`, { body: { reason: 'why' } })).status, 200)
    })

    once('an operation is asked for through the added door, under the guards of every door', async () => {
      const { id } = await made('/rest/v1/deals/', { name: 'Wired', price: 1 })
      const send = (body: unknown, headers = {}) => service.request('POST', '/telegram', { body, headers })
      const key = { 'idempotency-key': 'telegram-1' }
      for (const _again of [false, true]) {
        const { body, text } = await send(['HoldDeal', { id, reason: 'credit check' }], key)
        const [done, held] = body as unknown as readonly Shown[]
        assert.deepEqual([done, held?.holdReason, held?.revision], ['done', 'credit check', 2], text)
      }
      const refused = await send(['HoldDeal', { id, reason: 'again', expectedRevision: 1 }])
      assert.equal(refused.status, 412)
      assert.deepEqual((refused.body as unknown as Shown[])[1]?.code, 'stale-revision')
      assert.equal((await send(['FinishErrand', { id: errand.id, dryRun: true }])).status, 200)
      assert.equal((await send(['Nothing', {}])).status, 422)
      assert.equal((await service.request('GET', '/telegram')).status, 405)
      const forms = (await eventsOf(`deal=${id}`)).map(({ data }) => (data as Shown).form)
      assert.equal(forms.at(-1), 'telegram')
      assert.match(await page('/docs/doors/telegram'), /Telegrams/)
      assert.match(await page(`/rest/v1/deals/${id}/actions/remind`, { cookie: 'developer=true' }), /\/telegram/)
    })

    once('documents tell of everything that was added', async () => {
      const { paths, components, tags } = await read('/openapi.json')
      for (const path of [
        ...[
          '/errands',
          '/errands/{id}',
          '/errands/{id}/finish',
          '/errands/{id}/history',
          '/query/errands-by-urgency/{parameter}',
          '/glossary',
        ],
        ...['/rest/v1/deals/{id}/remind', '/rest/v1/deals/{id}/please/hold', '/errands/{id}/please/finish'],
      ]) {
        assert.ok(Object.hasOwn(paths as object, path), path)
      }
      const { schemas } = components as { readonly schemas: object }
      for (const name of ['Errand', 'ErrandPage', 'FinishErrandInput', 'RemindDealInput']) {
        assert.ok(Object.hasOwn(schemas, name), name)
      }
      assert.ok((tags as readonly Shown[]).some(({ name }) => name === 'Errands'))
      assert.ok(JSON.stringify(components).includes('"text/plain"'))
      const { text: glossary } = await service.request('GET', '/glossary')
      assert.match(glossary, /^errand: .*\burgency\b.* by .*\burgency\b.* do .*\bfinish\(id\)/m)
      assert.match(glossary, /^deal: .*\bremind\(id,on\)/m)
      const docs = await page('/docs')
      for (const text of [
        ...[
          'FinishErrand',
          'remind',
          'Polite request',
          'age:gte=18',
          'text/plain',
          '/query/errands-by-urgency/{urgency}',
        ],
        ...['GET /errands/{id}', 'errand.finished', 'errand-not-found'],
      ]) {
        assert.ok(docs.includes(text), text)
      }
      assert.match(await page('/docs/remind'), /please\/remind/)
      assert.match(await page('/docs/CreateErrand'), /POST \/errands/)
      assert.match(await page('/docs/create'), /POST \/rest\/v1\/deals/)
    })

    once('people find it on pages: lists, things, forms, activity and commands', async () => {
      const list = await page('/errands')
      assert.match(list, /<a href="\/errands" aria-current="page">Errands<\/a>/)
      for (const part of [
        ...['action="/filters/errands"', 'name="urgency.gte"', 'name="dueOn.lte"', 'name="finished"'],
        ...['href="/new/errands"', 'href="/errands.csv"', 'action="/changes/errands"', '<option value="finish">'],
        ...['href="/errands?sort=urgency"', 'name="fields[]" value="dueOn"', 'Save as a view'],
      ])
        assert.ok(list.includes(part), part)
      const row = `<a href="/errands/${errand.id}">Call Ana Ruiz</a></label></th><td></td><td class="number">4</td>`
      assert.ok(list.includes(`${row}<td><a href="/rest/v1/deals/${deal.id}">Forty espresso machines</a></td>`))
      assert.match(await page('/errands?fields=finished'), /<th scope="col"><a [^>]*>Finished<\/a>/)
      assert.match(await page('/errands?q=nothing'), /No errands match\./)
      const self = `/errands/${errand.id}`
      const own = await page(self)
      assert.match(own, /<h1>Call Ana Ruiz<\/h1>/)
      for (const action of ['finishings', 'edits'])
        assert.match(own, new RegExp(`<form[^>]* action="${self}/${action}"`), action)
      assert.match(own, new RegExp(`formaction="/confirm/errand/${errand.id}/delete"`))
      assert.match(own, /<dt>Deal<\/dt><dd><a [^>]*>Forty espresso machines<\/a>/)
      assert.match(own, /<ol class="timeline">.*Created the errand/s)
      assert.match(await page(`${self}/actions/finish`), new RegExp(`<form[^>]* action="${self}/finishings"`))
      const ofDeal = await page(`/rest/v1/deals/${deal.id}`)
      assert.ok(ofDeal.includes(`<a href="${self}">Call Ana Ruiz</a>`))
      assert.ok(ofDeal.includes(`href="/new/errands?dealId=${deal.id}`))
      assert.match(await page(`/rest/v1/deals/${deal.id}/errands`), /1 errands shown/)
      assert.match(await page('/new/errands?urgency=2'), /action="\/errands".*name="urgency"[^>]* value="2"/s)
      const wrong = new URLSearchParams({ name: 'Call Bo', urgency: '9', _revision: '1' })
      const refused = await service.request('POST', `${self}/edits`, { body: wrong, headers: { accept: 'text/html' } })
      assert.equal(refused.status, 422)
      assert.match(refused.text, /role="alert".*value="Call Bo".*value="9"[^>]* aria-invalid="true"/s)
      const fields = new URLSearchParams({ name: 'From a page', urgency: '2' })
      const sent = await service.request('POST', '/errands', { body: fields, headers: { accept: 'text/html' } })
      assert.equal(sent.status, 303, sent.text)
      assert.match(await page(String(sent.headers.location)), /<h1>From a page<\/h1>/)
      for (const part of ['history', 'history/1', 'actions', 'actions/finish', 'commands'])
        await page(`${self}/${part}`)
      const body = { errand: errand.id, action: 'ChangeErrand', params: { dueOn: '2027-01-31' } }
      await service.request('PUT', '/rest/commands/due', { body })
      assert.match(await page('/rest/commands/due'), new RegExp(`<a href="${self}">Call Ana Ruiz</a>`))
      assert.match(await page('/rest/commands'), new RegExp(`<a href="${self}">Call Ana Ruiz</a>`))
      await service.database.settled()
      assert.match(await page('/events?type=errand.created'), /Created the errand/)
      assert.match(await page(`/rest/v1/deals/${deal.id}`), /action="[^"]*\/reminders"/)
    })

    test('a kind of field is checked, shown, filtered, searched, described and unique', async () => {
      // The document of the copy knows no such field.
      const ask = async (method: string, path: string, body?: object) => {
        const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        const answer = await fetch(service.url + path, { method, ...sent })
        return { status: answer.status, text: await answer.text() }
      }
      const field = { on: 'customer', name: 'account', title: 'Account', kind: 'iban', unique: true, searched: true }
      const { status, text: told } = await ask('POST', '/fields', field)
      assert.equal(status, 201, told)
      const number = 'ES9121000418450200051332'
      const named = await ask('POST', '/customers', { name: 'Bank', own: { account: number } })
      assert.equal(named.status, 201, named.text)
      assert.equal(JSON.parse(named.text).own.account, number)
      const wrong = await ask('POST', '/customers', { name: 'Bank', own: { account: number.replace('9121', '9221') } })
      assert.deepEqual([wrong.status, JSON.parse(wrong.text).errors[0].pointer], [422, '/own/account'])
      assert.equal((await ask('POST', '/customers', { name: 'Bank', own: { account: number } })).status, 409)
      for (const filter of [`own.account=${number}`, 'own.account.starts=ES91', 'q=00051332']) {
        const { items } = JSON.parse((await ask('GET', `/customers?${filter}`)).text)
        assert.equal(items.length, 1, filter)
      }
      const query = '{ customers { nodes { own { account } } } }'
      assert.match((await ask('POST', '/graphql', { query })).text, new RegExp(number))
      assert.match((await ask('GET', '/odata/$metadata')).text, /<Property Name="account" Type="Edm.String"/)
      assert.match((await ask('GET', '/customers.csv')).text, new RegExp(number))
    })

    // The last: from here on the service has users.
    test('what the audit tells of is listed, answered, written, recorded, private, shown and without its secret', async () => {
      const support = (await import(
        join(copy.path, 'test/support/service/closed-service.ts')
      )) as typeof import('../support/service/closed-service.ts')
      const { basic } = support
      await support.withRoles(service)
      // The service finds out within a second.
      while ((await service.request('GET', '/users')).status !== 401);
      const texts: string[] = []
      const codes: string[] = []
      const ask = async (who: string, method: string, path: string, body?: object, headers = {}) => {
        const answer = await service.request(method, path, {
          headers: { ...basic(who), ...headers },
          ...(body && { body }),
        })
        const { code, ...shown } = answer.body ?? {}
        // A problem has a code too.
        if (typeof code === 'string' && answer.status < 300) codes.push(code)
        texts.push(JSON.stringify(shown) ?? answer.text)
        return answer
      }
      const owned = async (who: string) => (await ask(who, 'GET', '/devices')).body.items?.length

      assert.equal((await ask('editor', 'POST', '/devices?dry-run=true', { label: 'Tried' })).status, 200)
      const made = await ask('editor', 'POST', '/devices', { label: 'Phone' })
      assert.equal(made.status, 201, made.text)
      const self = String(made.headers.location)
      assert.deepEqual([made.body.owner, made.body.revision, self], ['editor', 1, `/devices/${made.body.id}`])
      assert.deepEqual(made.body.links, { self, collection: '/devices' })
      assert.equal((await ask('editor', 'POST', '/devices', { label: '' })).status, 422)

      assert.deepEqual([await owned('editor'), await owned('admin'), await owned('reader')], [1, 1, 0])
      const read = await ask('editor', 'GET', self)
      const { links: _links, ...document } = read.body
      assert.deepEqual(Object.keys(document), ['id', 'owner', 'label', 'createdAt', 'updatedAt', 'revision'])
      assert.equal((await ask('admin', 'GET', self)).status, 200)
      for (const [method, path, body] of [
        ['GET', self, undefined],
        ['PATCH', self, { label: 'Mine' }],
        ['POST', `${self}/renewals`, {}],
        ['DELETE', self, undefined],
      ] as const) {
        const { status, body: problem } = await ask('reader', method, path, body)
        assert.deepEqual([status, problem.code], [404, 'device-not-found'], method)
      }
      for (const query of ['code=x', 'sort=code', 'fields=code', 'group=code']) {
        assert.equal((await ask('editor', 'GET', `/devices?${query}`)).status, 400, query)
      }
      assert.equal((await ask('editor', 'GET', '/devices?label=Phone')).body.items?.length, 1)
      assert.match(
        (await ask('editor', 'GET', '/devices.csv')).text,
        /^id,owner,label,createdAt,updatedAt,revision\r\n/,
      )

      const stale = await ask('editor', 'PATCH', self, { label: 'Tablet' }, { 'if-match': '"r9"' })
      assert.equal(stale.status, 412, stale.text)
      const renamed = await ask('editor', 'PATCH', self, { label: 'Tablet' }, { 'if-match': String(read.headers.etag) })
      assert.deepEqual([renamed.status, renamed.body.label, renamed.body.revision], [200, 'Tablet', 2])
      const renewed = await ask('editor', 'POST', `${self}/renewals`, {})
      assert.equal(renewed.status, 200, renewed.text)
      const [first, second, ...others] = codes
      assert.ok(first && second && first !== second && others.length === 0, 'each is shown once')

      assert.equal((await ask('editor', 'DELETE', self)).status, 204)
      assert.equal((await ask('editor', 'GET', self)).status, 404)
      const audit = (await ask('admin', 'GET', '/audit?user=editor&sort=id')).body.items as readonly Shown[]
      assert.deepEqual(
        audit.flatMap(({ event, actor, detail }) =>
          String(event).startsWith('device') ? [[event, actor, detail]] : [],
        ),
        [
          ['device-paired', 'editor', 'Phone'],
          ['device-renewed', 'editor', 'Tablet'],
          ['device-forgotten', 'editor', 'Tablet'],
        ],
      )
      await ask('editor', 'POST', '/devices', { label: 'Phone' })
      await service.database.settled()

      const seen = async (who: string, path: string) =>
        (await service.request('GET', path, { headers: { ...basic(who), accept: 'text/html' } })).text
      const post = (path: string, fields: Record<string, string>) =>
        service.request('POST', path, {
          headers: {
            ...basic('editor'),
            accept: 'text/html',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams(fields).toString(),
        })
      const listed = await seen('editor', '/devices')
      assert.match(listed, /<form [^>]*action="\/devices"/)
      const [, shown = ''] = /<a href="(\/devices\/[^"]+)">Device Phone<\/a>/.exec(listed) ?? []
      const shownPage = await seen('editor', shown)
      for (const noun of ['edits', 'renewals', 'removals'])
        assert.match(shownPage, new RegExp(`action="${shown}/${noun}"`))
      assert.match(shownPage, /name="label"[^>]*value="Phone"/)
      assert.doesNotMatch(await seen('reader', '/devices'), /Device Phone/)
      assert.equal((await post(`${shown}/edits`, { label: 'Watch', _revision: '1' })).headers.location, shown)
      const refused = await post(`${shown}/edits`, { label: 'Watch 2', _revision: '1' })
      assert.deepEqual([refused.status, /Watch 2/.test(refused.text)], [412, true])
      const drawn = await post(`${shown}/renewals`, {})
      assert.equal(drawn.status, 200, drawn.text)
      codes.push(String((await service.database.rows('SELECT code FROM devices'))[0]?.code))
      assert.match(drawn.text, new RegExp(codes.at(-1) ?? 'none'))
      codes.splice(-2, 1)
      for (const path of ['/events', '/openapi.json', '/audit.ndjson', '/devices.ndjson', '/odata/$metadata']) {
        const { text } = await ask('admin', 'GET', path)
        texts.push(text)
        if (path === '/events' || path.startsWith('/odata')) assert.doesNotMatch(text, /device/i)
      }
      const kept = await service.database.rows('SELECT doc, code FROM devices')
      assert.deepEqual(
        kept.map(({ code }) => code),
        codes.slice(2),
      )
      texts.push(...kept.map(({ doc }) => String(doc)))
      for (const code of codes) assert.ok(texts.every((text) => !text.includes(code)))
    })

    test('a right holds in every form, door, batch, stream, import and page', async () => {
      const { basic } = (await import(
        join(copy.path, 'test/support/service/closed-service.ts')
      )) as typeof import('../support/service/closed-service.ts')
      const as = (who: string): TestService => ({
        ...service,
        request: (method, path, { headers, ...asking } = {}) =>
          service.request(method, path, { ...asking, headers: { ...basic(who), ...headers } }),
      })
      const [asAdmin, asEditor] = [as('admin'), as('editor')]
      const [sealed, open] = await Promise.all(
        ['Sealed bid', 'Open bid'].map(async (name) => {
          const body = { name, price: 1000, reference: name }
          return (await asAdmin.request('POST', '/rest/v1/deals/', { body })).body
        }),
      )
      assert.ok(sealed?.id && open?.id)
      const self = `/rest/v1/deals/${sealed.id}`
      const hold = operationNamed('hold', deals)
      assert.ok(hold)
      const params = { reason: 'waits' }
      const refusals: (readonly [string, unknown])[] = []
      const codeOf = (result: Shown | undefined): unknown => (result?.problem as Shown | undefined)?.code

      for (const form of requestsFor(hold, params, String(sealed.id))) {
        const { method, path, body, headers } = form
        const { body: problem } = await asEditor.request(method, path, { body, ...(headers && { headers }) })
        refusals.push([`${form.form} ${method} ${form.route}`, problem.code])
      }
      for (const body of [{ onHold: true }, { name: 'Unsealed' }])
        refusals.push(['attributes', (await asEditor.request('PATCH', self, { body })).body.code])
      for (const { door, perform } of adapters) {
        const told = await perform(asEditor, { operation: hold, params, target: String(sealed.id), command: '' })
        refusals.push([door, 'problem' in told ? told.problem.code : told.thing])
      }
      const commands = [sealed, open].map(({ id }) => ({ deal: id, action: 'hold', params }))
      const batch = async (atomic: boolean): Promise<readonly Shown[]> => {
        const { body } = await asEditor.request('POST', '/rest/v1/batch', { body: { atomic, commands } })
        return (body.results ?? []) as readonly Shown[]
      }
      const [inBatch] = await batch(true)
      refusals.push(['batch', codeOf(inBatch)])
      const [alone, other] = await batch(false)
      refusals.push(['entry', codeOf(alone)])
      assert.equal(other?.status, 'applied', JSON.stringify(other))
      const lines = commands.map((command) => `${JSON.stringify(command)}\n`).join('')
      const ndjson = { 'content-type': 'application/x-ndjson' }
      const streamed = await asEditor.request('POST', '/rest/commands', { headers: ndjson, body: lines })
      const [first] = streamed.text.split('\n').map((line) => JSON.parse(line || 'null') as Shown)
      refusals.push(['stream', codeOf(first)])
      const body = new URLSearchParams(params)
      const page = await asEditor.request('POST', `${self}/${hold.words.noun}`, {
        headers: { accept: 'text/html' },
        body,
      })
      refusals.push(['page', page.status === 403 ? 'forbidden' : page.text])
      assert.deepEqual(
        refusals.filter(([, code]) => code !== 'forbidden'),
        [],
      )
      assert.ok(refusals.length > 20, String(refusals.length))

      const { type, content } = fileForm({
        what: 'deals',
        file: { name: 'deals.csv', content: 'Reference,Name\nSealed bid,Unsealed\nOpen bid,Opened\n' },
      })
      const upload = await asEditor.request('POST', '/imports', { headers: { 'content-type': type }, body: content })
      const address = String(upload.headers.location)
      const settled = async (): Promise<Shown> => {
        const { body, text } = await asEditor.request('GET', address)
        if (body.isRunning === undefined) throw new Error(text)
        return body.isRunning === true ? settled() : body
      }
      const counts = ({ stage, updated, rejected }: Shown): readonly unknown[] => [stage, updated, rejected]
      assert.deepEqual(counts(await settled()), ['ready', 1, 1])
      await asEditor.request('POST', `${address}/runs`)
      assert.deepEqual(counts(await settled()), ['done', 1, 1])

      const after = (await asAdmin.request('GET', self)).body
      assert.deepEqual([after.revision, after.name], [1, 'Sealed bid'])
      assert.equal((await asAdmin.request('PUT', `${self}/hold`, { body: params })).status, 200)
    })
  })
}
