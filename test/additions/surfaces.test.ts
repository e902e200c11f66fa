import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { connect } from '../../src/client.ts'
import { doors } from '../../src/doors/doors.ts'
import { requestsIn } from '../../src/http/contract/form.ts'
import { attributeUpdate } from '../../src/http/forms/attribute-update.ts'
import { forms } from '../../src/http/forms/forms.ts'
import type { Operation, Resource } from '../../src/model/declaration/schema.ts'
import { extensible } from '../../src/model/nouns/field/field.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { type AddedKind, addedKinds } from '../../src/model/source/added-kinds.ts'
import { fieldOf } from '../../src/queries/collection.ts'
import { collectionOf } from '../../src/queries/collections.ts'
import { dialects } from '../../src/queries/dialects/dialects.ts'
import { readTerm } from '../../src/queries/term.ts'
import { representations } from '../../src/representations/representations.ts'
import { isOwn } from '../../src/values/json/own.ts'
import { doorUsers } from '../support/own-fields/ask-doors.ts'
import { type Any, type Place, places, representationReaders } from '../support/own-fields/read-representations.ts'
import { ownSamples, shownOf } from '../support/own-fields/samples.ts'
import { bearer, withRoles } from '../support/service/closed-service.ts'
import { openEventSource } from '../support/service/event-source.ts'
import { openDesk } from '../support/service/running-command.ts'
import { openService, type TestService } from '../support/service/running-service.ts'
import { type ServiceProcess, spawnService } from '../support/service/service-process.ts'
import { type Receiver, runReceiver } from '../support/webhooks/receiver.ts'

// A field of each kind is added to each resource that can have some, at one instance. Every surface of another one has
// them, with their values. The surfaces are those of the source's lists: whatever is added to a list is tried here, or
// fails for want of a reader.

const nameOf = (kind: AddedKind): string => `${kind}Field`

/** The kinds of a resource: only deals have a currency. */
const kindsOn = (on: string): readonly AddedKind[] => addedKinds.filter((kind) => kind !== 'amount' || on === 'deal')

const fieldsOn = (on: string) => kindsOn(on).map((kind) => ({ kind, name: nameOf(kind) }))

const valuesOn = (on: string, value: (kind: AddedKind) => unknown): { readonly [name: string]: unknown } =>
  Object.fromEntries(kindsOn(on).map((kind) => [nameOf(kind), value(kind)]))

const sent = (kind: AddedKind): unknown => ownSamples[kind].value

/** What a thing of each resource has besides; it is dated, so that it is in a calendar. */
const blank: { readonly [on: string]: { readonly [field: string]: unknown } } = {
  deal: { name: 'Roof', price: 2, completionDate: '2027-01-01' },
  customer: { name: 'Ann' },
  task: { title: 'Call', dueOn: '2027-01-01' },
}

/** The reference of the thing that has the values. */
const FIRST = 'first'

/** A built-in field of deals with a kind of value that is compared alike. */
const alike: { readonly [K in AddedKind]: string } = {
  ...{ text: 'name', choice: 'status', choices: 'name', integer: 'revision', number: 'price', amount: 'price' },
  ...{ boolean: 'held', date: 'completionDate', instant: 'createdAt', user: 'owner', link: 'customerId' },
  ...{ url: 'name', email: 'name', phone: 'name' },
}

/** The documents that describe the model and follow from it alone. */
const descriptions = ['/openapi.json', '/odata/$metadata', '/odata/$metadata?$format=json', '/postgrest']

for (const store of ['sqlite', 'postgres']) {
  describe(`on ${store}, another instance has fields that were added`, () => {
    let service: TestService
    let other: ServiceProcess
    let receiver: Receiver
    let url = ''
    let authorization = ''
    /** Milliseconds, which depend on the machine. */
    let followed = 0
    const ids: Record<string, string | number> = {}
    /** The tags of the descriptions before there was a field. */
    const tagged = new Map<string, string>()
    const resource = (on: string): Resource => resourceNamed(service.store.schemas.current, on)
    const addressOf = (on: string): string => resource(on).path

    const askAt =
      (at: () => string) =>
      async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
        const type = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
        // A connection that rested may be closed at the other end when a busy machine comes to use it: what only reads
        // is asked again.
        const alone = method === 'GET' ? {} : { connection: 'close' }
        const ask = () =>
          fetch(at() + path, {
            method,
            headers: { authorization, ...alone, ...(body !== undefined && type), ...headers },
            ...(body !== undefined && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
          })
        const answer = await (method === 'GET' ? ask().catch(ask) : ask())
        return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
      }
    const write = askAt(() => service.url)
    const read = askAt(() => url)

    /** What an instance answers, as JSON if it is. */
    async function shown(asked: ReturnType<typeof read>): Promise<Any> {
      const { status, bytes, headers } = await asked
      assert.ok(status < 400, `${status} ${bytes}`)
      return /json/.test(headers.get('content-type') ?? '') && bytes.length > 0
        ? JSON.parse(bytes.toString())
        : bytes.toString()
    }
    const get: (path: string, headers?: Record<string, string>) => Promise<Any> = (path, headers) =>
      shown(read('GET', path, undefined, headers))
    const post = (path: string, body: unknown): Promise<Any> => shown(write('POST', path, body))
    const found = async (on: string, query: string): Promise<readonly unknown[]> =>
      (await get(`${addressOf(on)}?${query}`)).items.map(({ id }: Any) => id)

    before(async () => {
      process.env.TEST_STORE = store
      const { keys, ...open } = await withRoles(await openService({ WEBHOOK_ALLOW_PRIVATE: 'true' }))
      service = open
      authorization = bearer(keys.admin).authorization
      receiver = await runReceiver()
      other = spawnService({ DATABASE_URL: service.database.url, WEBHOOK_ALLOW_PRIVATE: 'true' })
      url = await other.ready
      for (const name of ['Eve', 'Adam']) await post('/customers', { name })
      for (const path of descriptions)
        tagged.set(path, (await read('GET', path)).headers.get('etag') ?? `${path} has no tag`)
      // Whatever an instance keeps of its model, it has it now.
      for (const path of ['/openapi.json', '/odata/$metadata', '/postgrest', '/rest/v1/deals?format=html', '/docs'])
        await get(path)
      await shown(read('POST', '/graphql', { query: '{ deals { nodes { id } } }' }))
      await shown(read('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.list', params: {} }))
      for (const on of extensible) assert.equal((await read('GET', `${addressOf(on)}?own.textField=x`)).status, 400)

      const commands = extensible.flatMap((on) =>
        kindsOn(on).map((kind) => ({
          action: 'CreateField',
          params: {
            ...{ on, name: nameOf(kind), title: `Title of ${nameOf(kind)}`, kind },
            ...(ownSamples[kind].options && { options: ownSamples[kind].options }),
            searched: ownSamples[kind].word !== undefined,
          },
        })),
      )
      await post('/rest/v1/batch', { atomic: true, commands })
      const since = performance.now()
      const last = `${addressOf(extensible.at(-1) ?? '')}?own.${nameOf('phone')}.null=true`
      while ((await read('GET', last)).status !== 200) await pause(5)
      followed = performance.now() - since
      for (const on of extensible) {
        ids[on] = (await post(addressOf(on), { ...blank[on], reference: FIRST, own: valuesOn(on, sent) })).id
        await post(addressOf(on), blank[on])
      }
      await service.database.settled()
    })
    after(async () => {
      other.process.kill('SIGTERM')
      await other.ended
      await receiver.close()
      await service.close()
    })

    test('a reader of this test for each representation and each door', (t) => {
      t.diagnostic(`the other instance had the fields ${Math.round(followed)} ms after the answer`)
      assert.deepEqual(
        Object.keys(representationReaders).toSorted(),
        representations.map(({ name }) => name).toSorted(),
      )
      assert.deepEqual(Object.keys(doorUsers).toSorted(), doors.map(({ name }) => name).toSorted())
      assert.deepEqual(
        service.store.schemas.current.resources.filter((each) => each.extensible).map(({ name }) => name),
        [...extensible],
      )
    })

    for (const { name: format } of representations) {
      test(`in ${format}`, async () => {
        const reader = representationReaders[format]
        assert.ok(reader)
        let seen = 0
        for (const on of extensible) {
          const id = ids[on] ?? ''
          const self = `${addressOf(on)}/${id}`
          const columns = ['html'].includes(format) ? `&fields=${kindsOn(on).map((kind) => `own.${nameOf(kind)}`)}` : ''
          const addresses: { readonly [P in Place['of']]: string } = {
            ...{ thing: `${self}?`, list: `${addressOf(on)}?${columns}`, entry: `${self}/history/1?` },
            ...{ history: `${self}/history?`, events: `/events?${on}=${id}` },
          }
          for (const of of places) {
            if (reader.without?.includes(of)) continue
            const { status, bytes } = await read('GET', `${addresses[of]}&format=${format}`)
            if (status === 406) continue
            assert.equal(status, 200, `${of}: ${bytes}`)
            const own = await reader.read(bytes, { of, noun: on, id, names: kindsOn(on).map(nameOf) })
            for (const kind of kindsOn(on)) {
              const expected: unknown = (reader.as ?? shownOf)(kind, of)
              assert.deepEqual(own[nameOf(kind)], expected, `${kind} of a ${on}, in the ${of}`)
            }
            seen++
          }
        }
        assert.ok(seen > 0, 'nowhere')
      })
    }

    for (const { name: door } of doors) {
      test(`through ${door}`, async () => {
        const user = doorUsers[door]
        assert.ok(user)
        const ask = (...asked: Parameters<typeof read>) => shown(read(...asked))
        for (const on of extensible) {
          const all = fieldsOn(on)
          for (const field of all) {
            const [own, ...others] = await user.find(ask, resource(on), all, field)
            assert.equal(others.length, 0, `${field.kind} of a ${on} leaves one`)
            for (const { kind, name } of all)
              assert.deepEqual(own?.[name], (user.as ?? shownOf)(kind), `${kind} of a ${on}`)
          }
          const described: ReadonlyMap<string, unknown> | undefined = await user.describe?.(ask, resource(on))
          if (described) for (const { kind, name } of all) assert.ok(described.get(name), `${kind} of a ${on}`)
          const next = valuesOn(on, (kind) => ownSamples[kind].next)
          const { id } = await post(addressOf(on), blank[on])
          await user.change(ask, settingOf(resource(on)), id, next)
          assert.deepEqual((await get(`${addressOf(on)}/${id}`)).own, next)
        }
      })

      if (doorUsers[door]?.writeFound)
        test(`what a filter finds is written through ${door}`, async () => {
          const ask = (...asked: Parameters<typeof read>) => shown(read(...asked))
          for (const on of extensible) {
            for (const field of fieldsOn(on)) {
              const { text } = ownSamples[field.kind]
              const { id } = await post(addressOf(on), { ...blank[on], own: valuesOn(on, sent) })
              const written = await doorUsers[door]?.writeFound?.(ask, resource(on), id, field, text)
              const reference = `by ${field.name}`
              assert.partialDeepStrictEqual(
                written,
                [
                  { id, reference },
                  { id, reference },
                ],
                `${reference} of a ${on}`,
              )
              assert.ok([404, 410].includes((await read('GET', `${addressOf(on)}/${id}`)).status))
            }
          }
        })
    }

    test('in every dialect that a built-in field has', async () => {
      const deals = collectionOf(resource('deal'))
      for (const on of extensible) {
        const collection = collectionOf(resource(on))
        for (const kind of kindsOn(on)) {
          const field = fieldOf(collection, `own.${nameOf(kind)}`)
          const texts = [ownSamples[kind].text]
          const usual = fieldOf(deals, alike[kind])
          for (const dialect of dialects) {
            const spelled = dialect.spell(collection, { field, operator: 'eq', texts })
            const asUsual = dialect.spell(deals, { field: usual, operator: 'eq', texts })
            assert.ok(spelled.length >= asUsual.length, `${dialect.name} of ${kind}`)
            const term = readTerm(field, 'eq', ownSamples[kind].text)
            assert.ok('values' in term)
            const whole = dialect.write?.(collection, [term])
            // Other collections have the same spellings: one of each is enough.
            const tried = on === 'deal' ? spelled : spelled.slice(0, 1)
            for (const query of [...tried, ...(whole === undefined ? [] : [whole])])
              assert.deepEqual(await found(on, query), [ids[on]], query)
          }
          const { word } = ownSamples[kind]
          if (word === undefined) continue
          assert.deepEqual(await found(on, `q=${encodeURIComponent(word)}`), [ids[on]], word)
          const { items } = await get(`/search?q=${encodeURIComponent(word)}`)
          assert.ok(
            items.some((item: Any) => String(item.id) === String(ids[on])),
            `${word} finds the ${on}`,
          )
        }
      }
    })

    test('in groups, sorts and measures', async () => {
      for (const on of extensible) {
        for (const kind of kindsOn(on)) {
          const name = `own.${nameOf(kind)}`
          const value = shownOf(kind)
          const { items } = await get(`${addressOf(on)}?group=${name}&measure=count&reference=${FIRST}`)
          // A set is in the group of each of its values, in their declared order.
          const groups = Array.isArray(value) ? value : [value]
          assert.deepEqual(
            items.map((item: Any) => [item[name], item.count]),
            groups.map((each) => [each, 1]),
            name,
          )
          // Things without a value come last, and of the others none is before it.
          if (kind !== 'choices')
            assert.equal(
              (await found(on, `sort=${name},id&own.urlField.null=false&reference.null=false`))[0],
              ids[on],
              name,
            )
        }
        const measured = await get(
          `${addressOf(on)}?group=own.booleanField&measure=sum.own.numberField,max.own.integerField&reference=${FIRST}`,
        )
        assert.partialDeepStrictEqual(measured.items[0], {
          'sum.own.numberField': -1.000005,
          'max.own.integerField': -5,
        })
      }
    })

    for (const form of forms) {
      test(`in the form ${form.title}`, async () => {
        for (const on of extensible) {
          for (const operation of resource(on).operations.filter(({ params }) => Object.keys(params).some(isOwn))) {
            const isNew = operation.to === 'nothing'
            const next = valuesOn(on, (kind) => ownSamples[kind].next)
            const target = isNew ? '' : (await post(addressOf(on), blank[on])).id
            const params = { ...(isNew && blank[on]), own: next } as never
            for (const { method, path, body } of requestsIn(form, {
              operation,
              params,
              target,
              command: randomUUID(),
            })) {
              // A PUT of customers is of all their fields.
              const isWhole = form === attributeUpdate && method === 'PUT'
              await shown(write(method, path, isWhole ? { ...blank[on], ...body } : body))
              const [made] = isNew ? (await get(`${addressOf(on)}?sort=-id&limit=1`)).items : []
              const { own } = isNew ? made : await get(`${addressOf(on)}/${target}`)
              assert.deepEqual(own, next, `${method} ${path}`)
              if (!isNew) await shown(write('PATCH', `${addressOf(on)}/${target}`, { own: valuesOn(on, () => null) }))
            }
          }
        }
      })
    }

    test('in the past, and in lists of the past', async () => {
      for (const on of extensible) {
        const { id, updatedAt } = await post(addressOf(on), { ...blank[on], own: valuesOn(on, sent) })
        const self = `${addressOf(on)}/${id}`
        const next = valuesOn(on, (kind) => ownSamples[kind].next)
        while (new Date().toISOString() <= updatedAt) await pause(1)
        await shown(write('PATCH', self, { own: next }))
        const before = valuesOn(on, shownOf)
        assert.deepEqual((await get(`${self}?revision=1`)).own, before)
        assert.deepEqual((await get(`${self}?asOf=${updatedAt}`)).own, before)
        assert.deepEqual((await get(self)).own, next)
        assert.equal((await write('DELETE', self)).status, 204)
      }
    })

    const everyTerm = (on: string): string =>
      kindsOn(on)
        .map((kind) => `own.${nameOf(kind)}=${encodeURIComponent(ownSamples[kind].text)}`)
        .join('&')

    test('in live lists, views and the conditions and messages of webhooks', async () => {
      for (const on of extensible) {
        const { plural } = resource(on)
        const where = everyTerm(on)
        const { id: view } = await post('/views', { name: `Own ${on}`, collection: plural, query: where, shared: true })
        assert.deepEqual(
          (await get(`/views/${view}/items`)).items.map(({ id }: Any) => id),
          [ids[on]],
        )
        const changed = kindsOn(on).map((kind) => `own.${nameOf(kind)}`)
        const hook = await post('/webhooks', { url: `${receiver.url}/${on}`, types: [`${on}.*`], where, changed })
        const live = await openEventSource(`${url}${addressOf(on)}?${where}&snapshot=true`, { authorization })
        const self = `${addressOf(on)}/${ids[on]}`
        // Each alone takes it out of the list and back.
        for (const kind of kindsOn(on)) {
          await shown(write('PATCH', self, { own: { [nameOf(kind)]: ownSamples[kind].next } }))
          await shown(write('PATCH', self, { own: { [nameOf(kind)]: sent(kind) } }))
        }
        const times = kindsOn(on).length
        await live.received(2 + 2 * times)
        const types = live.messages.map(({ type }) => type)
        assert.deepEqual(types, ['enter', 'ready', ...kindsOn(on).flatMap(() => ['leave', 'enter'])])
        for (const at of [0, types.length - 1])
          assert.deepEqual(JSON.parse(live.messages[at]?.data ?? '').own, valuesOn(on, shownOf))
        live.close()
        const ofHook = () => receiver.received.filter(({ body }) => JSON.parse(body).type.startsWith(`${on}.`))
        await receiver.until(() => ofHook().length >= times)
        assert.equal(ofHook().length, times, 'the other changes left the condition')
        for (const { body } of ofHook()) assert.deepEqual(JSON.parse(body).data[on].own, valuesOn(on, shownOf))
        await shown(write('DELETE', `/webhooks/${hook.id}`))
        await shown(write('DELETE', `/views/${view}`))
      }
    })

    /** Imports a file and returns the import as it is afterwards. */
    async function imported(on: string, file: Buffer, type: string): Promise<Any> {
      const { headers, bytes } = await read('POST', `/imports?on=${on}`, file, { 'content-type': type })
      const address = headers.get('location')
      assert.ok(address, String(bytes))
      const settled = async (): Promise<Any> => {
        for (;;) {
          const state = await get(address)
          if (!state.isRunning) return state
          await pause(10)
        }
      }
      const ready = await settled()
      assert.equal(ready.stage, 'ready', JSON.stringify(ready))
      await shown(read('POST', `${address}/runs`))
      return settled()
    }

    const cleared = (on: string) =>
      shown(write('PATCH', `${addressOf(on)}/${ids[on]}`, { own: valuesOn(on, () => null) }))

    test('in exports, which are imported again', async () => {
      for (const on of resourcesWithFiles()) {
        for (const format of ['csv', 'xlsx']) {
          const { mediaTypes = [''] } = representations.find(({ name }) => name === format) ?? {}
          const { bytes } = await read('GET', `${addressOf(on)}?reference=${FIRST}&format=${format}`)
          await cleared(on)
          const done = await imported(on, bytes, mediaTypes[0])
          assert.partialDeepStrictEqual(done, { stage: 'done', updated: 1, rejected: 0 }, JSON.stringify(done))
          assert.deepEqual((await get(`${addressOf(on)}/${ids[on]}`)).own, valuesOn(on, shownOf), format)
        }
      }
    })

    const resourcesWithFiles = () => extensible.filter((on) => resource(on).imports !== undefined)

    test('on the command line: exports, imports and types', async () => {
      await using desk = openDesk({ DATABASE_URL: service.database.url })
      const run = async (...args: readonly string[]): Promise<string> => {
        const { code, stdout, stderr } = await desk.run(args)
        assert.equal(code, 0, stderr)
        return stdout
      }
      for (const on of resourcesWithFiles()) {
        const { plural } = resource(on)
        for (const format of ['csv', 'ndjson']) {
          const file = desk.path(`${plural}.${format}`)
          await run('export', plural, file, '--filter', everyTerm(on))
          await cleared(on)
          assert.match(await run('import', plural, file), /updated 1, unchanged 0, rejected 0/)
          assert.deepEqual((await get(`${addressOf(on)}/${ids[on]}`)).own, valuesOn(on, shownOf), format)
        }
      }
    })

    test('in the tags of what describes the model', async () => {
      for (const path of descriptions) {
        const before = tagged.get(path) ?? ''
        const now = await read('GET', path, undefined, { 'if-none-match': before })
        assert.equal(now.status, 200, path)
        const tag = now.headers.get('etag') ?? ''
        assert.match(tag, /^"[^"]+"$/, path)
        assert.notEqual(tag, before, path)
        const held = await read('GET', path, undefined, { 'if-none-match': tag })
        assert.deepEqual([held.status, held.headers.get('etag'), held.bytes.length], [304, tag, 0], path)
        assert.equal((await read('GET', path, undefined, { 'if-match': before })).status, 412, path)
        const plain = await read('GET', path, undefined, { 'if-none-match': tag, 'accept-encoding': 'identity' })
        assert.equal(plain.status, 200, `${path} has other bytes in another coding`)
      }
    })

    test('in the OpenAPI document', async () => {
      const document = await get('/openapi.json')
      const ajv = new Ajv2020({ strict: false })
      addFormats.default(ajv)
      ajv.addSchema(document, 'openapi')
      for (const on of extensible) {
        const thing: { readonly [member: string]: Any } = await get(`${addressOf(on)}/${ids[on]}`)
        const name = `#/components/schemas/${on[0]?.toUpperCase()}${on.slice(1)}`
        const isValid = ajv.compile({ $ref: `openapi${name}` })
        assert.ok(isValid(thing), JSON.stringify(isValid.errors))
        for (const kind of kindsOn(on)) {
          const wrong: object = { ...thing, own: { ...thing.own, [nameOf(kind)]: { not: 'a value' } } }
          assert.ok(!isValid(wrong), `${kind} of a ${on} has its type`)
        }
        assert.ok(!isValid({ ...thing, own: { ...thing.own, other: 1 } }), 'no others')
      }
    })

    test('in the client', async () => {
      const key = authorization.replace('Bearer ', '')
      const client = connect<{ deal: { integerField: number | null; choicesField: readonly string[] | null } }>(url, {
        auth: { key },
      })
      const [deal] = (await client.deals.list({ 'own.integerField.lte': -5, 'own.choicesField': 'wide' }).page()).items
      assert.deepEqual([deal?.id, deal?.own.integerField, deal?.own.choicesField], [ids.deal, -5, ['x', 'wide']])
      const plain = connect(url, { auth: { key } })
      const read: readonly (readonly [string, Promise<Any>])[] = [
        ['deal', plain.deals.get(String(ids.deal))],
        ['customer', plain.customers.get(Number(ids.customer))],
        ['task', plain.tasks.get(String(ids.task))],
      ]
      for (const [on, thing] of read) {
        const { own } = await thing
        assert.deepEqual(own, valuesOn(on, shownOf))
        const [made] = await plain.batch([
          { action: `Create${on[0]?.toUpperCase()}${on.slice(1)}`, params: { ...blank[on], own } } as Any,
        ])
        assert.deepEqual((made as Any)[on].own, own)
      }
    })

    test('in forms, filters and columns of pages', async () => {
      for (const on of extensible) {
        const { plural } = resource(on)
        const self = `${addressOf(on)}/${ids[on]}`
        const [made, thing, list, told] = await Promise.all(
          [`/new/${plural}`, self, addressOf(on), `${self}/history`].map((path) => get(path, { accept: 'text/html' })),
        )
        for (const kind of kindsOn(on)) {
          const field = `own.${nameOf(kind)}`
          for (const page of [made, thing])
            assert.ok(page.includes(` name="${field}"`) || page.includes(` name="${field}[]"`), `a form has ${field}`)
          assert.ok(
            [field, `${field}.gte`, `${field}.contains`].some((name) => list.includes(` name="${name}"`)),
            field,
          )
          assert.ok(list.includes(` name="fields[]" value="${field}"`), `it can be a column: ${field}`)
        }
        assert.ok(told.includes('Title of'), 'the history names them')
        // A suggestion shows what tells namesakes apart, each a text.
        for (const [, suggest = ''] of made.matchAll(/data-suggest="([^"]*)"/g)) assert.doesNotMatch(suggest, /\bown\b/)
      }
    })

    // The last: it adds further fields.
    test('as what names a thing: commands, batches and imports create it once and change it, and an undoing restores it', async () => {
      const added = ['CODE', 'PLACE'].map((name) => ({
        action: 'CreateField',
        params: { on: 'deal', name: name.toLowerCase(), title: name, kind: 'text', unique: true },
      }))
      const live = await Promise.all(
        [`${addressOf('deal')}?own.integerField=-5`, '/customers?own.integerField=-5'].map((path) =>
          openEventSource(url + path, { authorization }),
        ),
      )
      await post('/rest/v1/batch', { atomic: true, commands: added })
      // A change of the model ends them: their conditions belong to the one before.
      for (const each of live) {
        await each.ended
        assert.equal(each.messages.at(-1)?.type, 'reset')
      }
      const by = { deal: { 'own.code': 'C-1' }, action: 'UpsertDeal' }
      const put = (id: string, params: object) => shown(write('PUT', `/rest/commands/${id}`, { ...by, params }))
      const { deal: id } = await put('upsert-1', { name: 'Upserted', price: 1, own: { textField: 'one' } })
      assert.equal((await put('upsert-2', { own: { textField: 'two' } })).deal, id)
      const { results } = await post('/rest/v1/batch', {
        atomic: true,
        commands: [{ ...by, params: { own: { integerField: 3 } } }],
      })
      assert.deepEqual(
        [results[0].deal.id, results[0].deal.own.textField, results[0].deal.own.integerField],
        [id, 'two', 3],
      )
      const file = 'name,price,own.code,own.textField\nUpserted,1,C-1,three\nNew,2,C-2,four\n'
      const done = await imported('deal', Buffer.from(file), 'text/csv')
      assert.partialDeepStrictEqual(done, { stage: 'done', inserted: 1, updated: 1, rejected: 0 }, JSON.stringify(done))
      const values = async (code: string) => (await get(`${addressOf('deal')}/by/own.code/${code}`)).own.textField
      assert.deepEqual([await values('C-1'), await values('C-2')], ['three', 'four'])
      await shown(write('POST', `/imports/${done.id}/undoings`))
      assert.equal(await values('C-1'), 'two')
      assert.equal((await read('GET', `${addressOf('deal')}/by/own.code/C-2`)).status, 404)
    })
  })
}

/** The operation that changes added fields of an existing thing. */
function settingOf({ operations }: Resource): Operation {
  const found = operations.find(({ to, params }) => to !== 'nothing' && Object.keys(params).some(isOwn))
  assert.ok(found)
  return found
}
