import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import { dateText } from '../../src/languages/formats.ts'
import { anybody, readerWith } from '../../src/languages/reader.ts'
import { say } from '../../src/languages/say.ts'
import type { Document, DocumentForm, FormField } from '../../src/representations/document.ts'
import { phrase } from '../../src/representations/html/phrase.ts'
import { html } from '../../src/representations/html.ts'
import { inRows, html as markup } from '../../src/representations/markup/markup.ts'
import { nullable } from '../../src/values/kinds/kind.ts'
import { amount } from '../../src/values/kinds/money.ts'
import { boolean, integer } from '../../src/values/kinds/number.ts'
import { choice, text } from '../../src/values/kinds/text.ts'
import { date, instant } from '../../src/values/kinds/time.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { acceptedText, context, pageOf, resource } from '../support/inputs/sample-documents.ts'

const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules: { 'long-title': 'off' } })

async function write(document: Document, more: Partial<typeof context> = {}): Promise<string> {
  const page = html.write(document, { ...context, ...more })
  const { results } = await validator.validateString(page)
  assert.deepEqual(
    results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`)),
    [],
  )
  return page
}

const field = (name: string, schema: FormField['schema'], more: Partial<FormField> = {}): FormField => ({
  name,
  label: say(name),
  schema,
  required: false,
  ...more,
})

const form = (fields: readonly FormField[], more: Partial<DocumentForm> = {}): DocumentForm => ({
  title: say('Put on hold'),
  action: '/rest/v1/deals/7/holds',
  method: 'post',
  submit: say('Hold'),
  fields,
  hidden: { _revision: '3' },
  ...more,
})

test('a resource is a list of definitions with its links as anchors', async () => {
  const page = await write(
    resource(
      '{"id":7,"completionDate":null,"held":true,"tags":["a"],"links":{"self":"/deals/7","operations":{"hold":"/deals/7/hold"}}}',
    ),
    { reader: { ...context.reader, developer: true } },
  )
  assert.match(page, /<dt>Expected close<\/dt><dd translate="no"><\/dd>/)
  assert.match(page, /<dt>On hold<\/dt><dd translate="no">yes<\/dd>/)
  assert.match(page, /<a href="\/deals\/7">\/deals\/7<\/a>/)
  // An operation is not for GET.
  assert.doesNotMatch(page, /<a href="\/deals\/7\/hold"/)
  assert.match(page, /<html lang="en" dir="ltr">/)
  assert.match(page, /<a href="\/deals\.json" rel="alternate">json<\/a>/)
})

test('a page is a table whose rows lead to their things, and leads to the pages beside it', async () => {
  const document = resource(
    '{"items":[{"id":1,"name":"Ana","age":30},{"id":2,"name":"Bo","age":null}],"page":2,"total":90,"hasMore":true,"links":{"first":"/c?a=1&b=2","next":"/c?after=x"}}',
    { kind: 'page', title: 'Customers', columns: ['id', 'name', 'age'], itemAddress: ({ id }) => `/customers/${id}` },
  )
  const page = await write(document)
  assert.match(page, /<caption id="caption">Customers: 2 of 90, page 2, more follow<\/caption>/)
  assert.match(page, /<th scope="col">Name<\/th>/)
  assert.match(
    page,
    /<th scope="row"><a href="\/customers\/1">1<\/a><\/th><td>Ana<\/td><td class="number">30<\/td><\/tr>/,
  )
  assert.match(page, /<td>Bo<\/td><td><\/td>/)
  assert.match(page, /<a href="\/c\?a=1&amp;b=2" rel="first">First page<\/a>/)
  assert.match(page, /<a href="\/c\?after=x" rel="next">Next page<\/a>/)
})

test('a bare list has the ways to its further pages too', async () => {
  const list = resource('[{"id":1}]', { kind: 'list', pageLinks: { next: '/q?after=y' } })
  assert.match(await write(list), /rel="next"/)
})

test('an empty page says so', async () => {
  assert.match(await write(pageOf([], { columns: ['id'] })), /Nothing here/)
  assert.match(await write(pageOf([])), /Nothing here/)
})

test('each field has a label and the control that fits its schema', async () => {
  const fields = [
    field('count', integer({ min: 0, max: 5 }).schema, { required: true, value: '2' }),
    field('price', amount().schema, { placeholder: say('99.50') }),
    field('day', nullable(date).schema),
    field('at', instant.schema),
    field('stage', nullable(choice(['lead', 'contract'])).schema, { value: 'contract' }),
    field('held', boolean.schema),
    field('name', text({ min: 1, max: 200 }).schema),
    field('reason', text({ min: 1, max: 1000 }).schema, { required: true, value: '\nfirst' }),
  ]
  const page = await write(resource('{"id":1}', { forms: () => [form(fields), form(fields, { title: say('Move') })] }))
  const controls = [
    '<label for="form-1-1" data-required>count</label> <input id="form-1-1" name="count" type="number" step="1" min="0" max="5" value="2" required>',
    'name="price" type="text" inputmode="decimal" placeholder="99.50">',
    'name="day" type="date">',
    'name="at" type="datetime-local"',
    '<option value="contract" selected>Contract</option>',
    '<option value="true">yes</option><option value="false">no</option>',
    'name="name" type="text" maxlength="200">',
    'rows="3" maxlength="1000" required>\n\nfirst</textarea>',
  ]
  for (const control of controls) assert.ok(page.includes(control), control)
})

test('a time shows what was typed if that is none', async () => {
  for (const value of ['neverZ', '2026-13-45T10:00Z']) {
    const page = await write(resource('{}', { forms: () => [form([field('at', instant.schema, { value })])] }))
    assert.match(page, new RegExp(`value="${value}"`))
  }
  const shown = resource('{}', {
    forms: () => [form([field('at', instant.schema, { value: '2026-11-30T08:30:00.000Z' })])],
  })
  const page = await write(shown, { reader: readerWith({ timeZone: 'Asia/Tokyo' }) })
  assert.match(page, /type="datetime-local" step="any" value="2026-11-30T17:30"/)
})

test('a form sends its hidden fields', async () => {
  const posting = resource('{}', { forms: () => [form([])] })
  const page = await write(posting)
  assert.match(page, /<form method="post" action="\/rest\/v1\/deals\/7\/holds"/)
  assert.match(page, /<input type="hidden" name="_revision" value="3">/)
})

test('a template escapes text and keeps markup', () => {
  const name = `<b>"O'Hara" & sons</b>`
  assert.equal(
    markup`<p title="${name}">${[name, markup`<i>${1}</i>`]}${undefined}${false}</p>`.for(anybody),
    '<p title="&lt;b&gt;&quot;O&#39;Hara&quot; &amp; sons&lt;/b&gt;">&lt;b&gt;&quot;O&#39;Hara&quot; &amp; sons&lt;/b&gt;<i>1</i></p>',
  )
})

test('pages that are written in turns speak each to their own reader', () => {
  const at = '2026-11-30T23:30:00.000Z'
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, paid: id % 2 === 0, at, none: [] }))
  const link = markup`<a href="/deals/7">Roof</a>`
  const view = markup`<h1>${say('{count} more deals', { count: 1234 })}</h1>
${phrase('{name}: {done}', { name: link, done: dateText('2026-11-30') })}<ul>${inRows(rows, ({ paid }) => markup`<li>${say(paid ? 'yes' : 'no')}</li>`)}</ul>
${markup`<b>${say('Pages')}</b>`.oncePerLanguage()}`
  const documents = [
    pageOf(rows, { columns: ['id', 'paid', 'at', 'none'], forms: () => [form([field('held', boolean.schema)])] }),
    pageOf(rows, { screen: () => view }),
  ]
  const readers = ['en', 'de-CH', 'fr', 'es'].map((locale) => readerWith({ locale, timeZone: 'Asia/Tokyo' }))
  for (const document of documents) {
    const begun = () => readers.map((reader) => Iterator.from(html.parts?.(document, { ...context, reader }) ?? []))
    const alone = begun().map((parts) => [...parts].join(''))
    assert.equal(new Set(alone).size, readers.length)
    // A piece of each page in turn.
    const inTurns = readers.map(() => '')
    const writers = begun()
    for (let open = writers.length; open > 0; ) {
      open = 0
      for (const [which, parts] of writers.entries()) {
        const { done, value } = parts.next()
        if (done) continue
        inTurns[which] += String(value)
        open++
      }
    }
    assert.deepEqual(inTurns, alone)
  }
})

test('an object that only looks like markup is no markup', () => {
  const forged = JSON.parse('{"html":"<script>"}')
  assert.throws(() => markup`${forged}`)
})

test('only an address that says where it leads becomes an anchor', async () => {
  for (const href of ['javascript:alert(1)', '//evil.example', '/\\evil.example', 'data:text/html,x', ' /x']) {
    const page = await write(resource(JSON.stringify({ links: { self: href } })))
    assert.doesNotMatch(page, /<dd[^>]*><a/, href)
    const list = resource('[{"id":1}]', { kind: 'list', itemAddress: () => href })
    assert.match(await write(list), /<th scope="row">1<\/th>/)
    const pager = resource(JSON.stringify({ items: [], links: { next: href } }), { kind: 'page' })
    assert.doesNotMatch(await write(pager), /rel="next"/)
  }
})

test('no text becomes markup, wherever it stands', () => {
  const tagsFor = (name: string) => tags(html.write(everywhere(name), context))
  fc.assert(
    fc.property(acceptedText, (name) => {
      // A text in lines has another control.
      assert.deepEqual(tagsFor(name), tagsFor(name.replaceAll(/[^\r\n]/g, 'x')))
    }),
    { numRuns: 500 },
  )
})

function everywhere(name: string): Document {
  const value = `x${name}`
  return pageOf([{ id: value, name: value, [`n${name}`]: { nested: [value] } }], {
    title: value,
    columns: ['id', 'name', `n${name}`],
    itemAddress: () => `/deals/${value}`,
    forms: () => [
      form([field(value, text({ min: 0, max: 9 }).schema, { label: say(value), value, placeholder: say(value) })], {
        title: say(value),
        submit: say(value),
        hidden: { [value]: value },
      }),
    ],
  })
}

// Attribute values are quoted, and a quote in one is escaped: what is left between the quotes is no markup.
const tags = (page: string): readonly string[] => page.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? []
