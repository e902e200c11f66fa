import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import { doors } from '../../src/doors/doors.ts'
import { formNames } from '../../src/http/forms/forms.ts'
import { whyNotNow } from '../../src/model/schema/resources.ts'
import { requestsFor } from '../../src/screens/reference/requests.ts'
import { withoutAlike } from '../support/browser/alike-markup.ts'
import { ways } from '../support/deals/ways.ts'
import { isDrawn } from '../support/inputs/drawn.ts'
import { deal as dealResource, operations as everyOperation, resources } from '../support/schema.ts'
import { makeCustomers, makeDeal } from '../support/service/making-deals.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

const operations = dealResource.operations

let service: TestService
before(async () => {
  service = await runService()
  await makeCustomers(service)
})
after(() => service.close())

const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules: { 'long-title': 'off' } })

async function markup(path: string): Promise<string> {
  const { status, text, headers } = await service.request('GET', path, {
    headers: { accept: 'text/html', cookie: 'developer=true' },
  })
  assert.equal(status, 200, text)
  assert.match(headers['content-type'] ?? '', /^text\/html/)
  assert.match(String(headers['content-security-policy']), /default-src 'none'/)
  return text
}

async function page(path: string): Promise<string> {
  const text = await markup(path)
  const { results } = await validator.validateString(withoutAlike(text))
  assert.deepEqual(
    results.flatMap(({ messages }) => messages.map(({ message, line }) => `${line}: ${message}`)),
    [],
  )
  return text
}

test('a newcomer sees every form and every operation', async () => {
  const text = await page('/docs')
  const section = (id: string) => /<tbody>([\s\S]*?)<\/tbody>/.exec(text.slice(text.indexOf(`id="${id}"`)))?.[1] ?? ''
  assert.equal(section('forms').split('<tr>').length - 1, formNames.filter((name) => name !== 'resource').length)
  assert.equal(section('operations').split('<tr>').length - 1, everyOperation.length)
  for (const { name } of dealResource.operations) assert.ok(text.includes(`href="/docs/${name}"`), name)
})

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

test('a newcomer signs in and sends a first request, at the address at which the service runs', async () => {
  const text = unescaped(await page('/docs'))
  assert.ok(text.indexOf('id="first"') < text.indexOf('id="operations"'), 'it is the first chapter')
  assert.ok(text.includes(`'${service.url}/rest/v1/deals?status=open&sort=-updatedAt&maxpagesize=5'`))
  assert.ok(text.includes(`curl ${service.url}/rest/v1/deals/`))
  assert.ok(unescaped(await page('/docs/doors/rpc')).includes(`curl ${service.url}/rpc`))
  const [, body = ''] = /-d '([^<]*)'<\/code>/.exec(text.replaceAll(/<\/?span[^>]*>/g, '')) ?? []
  const answer = await service.request('POST', '/rest/v1/deals/', { body: JSON.parse(body) })
  assert.equal(answer.status, 201)
  const [, example = ''] = /201 Created\n\n([^<]*)<\/code>/.exec(text) ?? []
  const { id, createdAt, updatedAt, links: _links, ...made } = answer.body as { readonly [name: string]: unknown }
  assert.deepEqual({ ...JSON.parse(example), id, createdAt, updatedAt }, { id, createdAt, updatedAt, ...made })
})

test('every operation and every problem has an example', async () => {
  for (const { name } of dealResource.operations) {
    const text = unescaped(await markup(`/docs/${name}`))
    const [, status, example = '{}'] = /<code>(20\d) [\w ]+(?:\n\n([^<]*))?<\/code>/.exec(text) ?? []
    assert.ok(status, name)
    if (status !== '204') assert.equal(JSON.parse(example).name !== undefined, true, name)
  }
  const problem = unescaped(await page('/problems/wrong-state'))
  const [, told = ''] = /<code translate="no">([^<]*)<\/code>/.exec(problem) ?? []
  assert.equal(JSON.parse(told).status, 409)
  assert.equal(JSON.parse(told).code, 'wrong-state')
})

test('the pages need nothing from elsewhere, no script and no style of their own', async () => {
  for (const path of ['/docs', '/docs/hold']) {
    const text = await page(path)
    assert.doesNotMatch(text, /<script(?! src="\/app\.js)|<style|\sstyle=|\son\w+=|(src|href)="(https?:)?\/\//)
  }
})

test('an operation has a page with its parameters, its rules and its event', async () => {
  for (const { name, params, words } of operations) {
    const text = await page(`/docs/${name}`)
    for (const word of [words.event, words.action, ...Object.keys(params)])
      assert.ok(text.includes(`<code>${word}</code>`), word)
  }
  assert.match(await page('/docs/complete'), /open and held<\/th><td>409: the deal is on hold/)
})

test('every request that is shown works as it is shown', async () => {
  let n = 0
  for (const operation of operations) {
    const way = ways.find(
      ({ deal }) => operation.to === 'nothing' || whyNotNow(operation, deal, new Date().toISOString()) === undefined,
    )
    assert.ok(way, operation.name)
    for (const [nth, { method, path, body, success }] of requestsFor(operation).entries()) {
      if (!isDrawn(nth + operations.indexOf(operation), 2)) continue
      const id = await makeDeal(service, way)
      const filled = (text: string) => text.replaceAll('{id}', id).replaceAll('{command_id}', `shown-${++n}`)
      const asking = body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body))) }
      const answer = await service.request(method, filled(path), asking)
      assert.equal(answer.status, Number.parseInt(success, 10), `${method} ${path}: ${answer.text}`)
      assert.equal(answer.text === '', success === '204' || success === '200, no body')
    }
  }
})

test('every change of other things works as it is shown', async () => {
  for (const resource of resources.filter(({ name }) => name !== 'deal')) {
    const [create, change] = ['create', 'change'].map((name) =>
      resource.operations.find((operation) => operation.name === name),
    )
    assert.ok(create && change)
    const made = await service.request('POST', resource.path, { body: create.examples[0] })
    assert.equal(made.status, 201, made.text)
    const text = await page(`/docs/${change.words.action}`)
    const shown = text.matchAll(/<pre><code>(\w+) ([^\n<]+)([^<]*)<\/code><\/pre>\s*<p>Answers (\d+)/g)
    let count = 0
    for (const [, method = '', path = '', content = '', status] of shown) {
      const filled = (part: string): string =>
        part
          .replaceAll('{id}', String(made.body.id))
          .replaceAll('{command_id}', `${change.words.action}-${++count}`)
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&')
      const body = filled(content).slice(content.indexOf('{'))
      const headers = { 'content-type': 'application/json' }
      // Something differs each time, so that there is an entry.
      const reset = Object.fromEntries(Object.keys(change.examples[0]).map((name) => [name, made.body[name]]))
      const { status: done } = await service.request('PATCH', `${resource.path}/${made.body.id}`, { body: reset })
      assert.equal(done, 200)
      const answer = await service.request(method, filled(path), { body, headers })
      assert.equal(answer.status, Number(status), `${method} ${path} ${body}: ${answer.text}`)
    }
    assert.ok(count > 0, resource.name)
    assert.equal(text.includes('It replaces the'), resource.put === 'anew', resource.name)
  }
})

test('what comes back of each door is what is shown', async () => {
  for (const name of ['hold', 'delete', 'change-customer']) {
    const operation = operations.find((each) => each.name === name)
    assert.ok(operation)
    const params = operation.examples[0]
    for (const [nth, door] of doors.entries()) {
      const { body: made } = await service.request('POST', '/rest/v1/deals/', { body: { name: 'Shown', price: 1 } })
      // The page is the same but for its id, so it is looked at once.
      const text = await (nth === 0 ? page : markup)(`/rest/v1/deals/${made.id}/actions/${name}`)
      const shown = text.slice(text.indexOf(`<b>${door.title}</b>`)).split('What comes back</h3>')[1] ?? ''
      const [head = '', content] = plain(shown.slice(0, shown.indexOf('</pre>'))).split('\n\n')
      const asked = door.request({ operation, params, target: made.id, command: 'none' })
      assert.ok(asked)
      const { method, path, headers, body } = asked
      const answer = await service.request(method, path, { ...(headers && { headers }), body })
      assert.equal(answer.status, Number.parseInt(head, 10), `${door.name} ${name}: ${answer.text}`)
      assert.equal(answer.text === '', content === undefined, `${door.name} ${name}`)
      if (content !== undefined) assertShown(JSON.parse(unabbreviated(content)), JSON.parse(answer.text), door.name)
      if (door.name === 'graphql') assert.equal(unabbreviated(content ?? ''), answer.text)
    }
  }
})

test('what would be refused now is shown with what is said then', async () => {
  const { body: made } = await service.request('POST', '/rest/v1/deals/', { body: { name: 'Shown', price: 1 } })
  const text = plain(await page(`/rest/v1/deals/${made.id}/actions/unhold`))
  assert.match(text, /"detail":"unhold is not allowed: the deal is not on hold\."/)
})

const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Shown JSON, with null for what is left out. */
const unabbreviated = (json: string): string =>
  json
    .replaceAll(/, …\n/g, ',')
    .replaceAll('{…\n', '{')
    .replaceAll(':…', ':null')
    .replaceAll(/([[{])…(?=[\]}])/g, '$1')

/** All that is shown comes, and where it comes. Instants differ. */
function assertShown(shown: unknown, came: unknown, where: string): void {
  if (shown === null || (typeof shown === 'string' && /^\d{4}-.*Z$/.test(shown))) return
  assert.equal(typeof came, typeof shown, where)
  if (typeof shown !== 'object') return assert.equal(came, shown, where)
  for (const [name, value] of Object.entries(shown)) {
    assert.ok(Object.hasOwn(came as object, name), `${where}/${name}`)
    assertShown(value, (came as Record<string, unknown>)[name], `${where}/${name}`)
  }
}

test('hold is shown in every form, and creation in those that fit', () => {
  const formsOf = (name: string) => {
    const operation = operations.find((each) => each.name === name)
    return new Set(operation && requestsFor(operation).map(({ form }) => form))
  }
  assert.deepEqual([...formsOf('hold')].toSorted(), formNames.filter((name) => name !== 'resource').toSorted())
  assert.deepEqual([...formsOf('create')], ['resource', 'command', 'command-endpoint'])
})

test('an unknown operation is 404, with the one that was meant', async () => {
  const { status, body } = await service.request('GET', '/docs/hould')
  assert.equal(status, 404)
  assert.match(body.detail, /did you mean hold\?/)
})
