import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { csv } from '../../src/representations/csv.ts'
import { json } from '../../src/representations/json.ts'
import { ndjson } from '../../src/representations/ndjson.ts'
import { readDocument } from '../../src/representations/read-document.ts'
import { contentTypeFor, type DocumentKind } from '../../src/representations/representation.ts'
import { carrying, representations } from '../../src/representations/representations.ts'
import { xml } from '../../src/representations/xml.ts'
import { yaml } from '../../src/representations/yaml.ts'
import { isExactNumber } from '../../src/values/json/exact-numbers.ts'
import { amountToText } from '../../src/values/kinds/money.ts'
import { context, pageOf, resource } from '../support/inputs/sample-documents.ts'
import { collections } from '../support/schema.ts'

const others = ['document.ts', 'project.ts', 'read-document.ts', 'representation.ts', 'representations.ts']

test('every representation in the folder is listed', () => {
  const files = readdirSync(new URL('../../src/representations/', import.meta.url), { withFileTypes: true })
  const named = files.filter((file) => file.isFile() && !others.includes(file.name)).map(({ name }) => name)
  assert.deepEqual(named.sort(), representations.map(({ name }) => `${name}.ts`).sort())
})

test('no media type is claimed twice', () => {
  const types = representations.flatMap(({ mediaTypes }) => mediaTypes)
  assert.equal(new Set(types).size, types.length)
})

test('rows are for pages and lists, everything else is for things too', () => {
  const names = (kind: DocumentKind) => carrying(kind).map(({ name }) => name)
  const all = representations.map(({ name }) => name)
  assert.deepEqual(all.slice(0, 5), ['json', 'xml', 'html', 'csv', 'ndjson'])
  const rows = representations.filter(({ whole }) => whole !== undefined).map(({ name }) => name)
  const everywhere = all.filter((name) => name !== 'ics' && name !== 'atom')
  assert.deepEqual(
    names('resource'),
    all.filter((name) => !rows.includes(name)),
  )
  assert.deepEqual(names('problem').slice(0, 3), ['json', 'xml', 'html'])
  assert.deepEqual(names('page'), everywhere)
  assert.deepEqual(names('list'), everywhere)
})

test('what has dates is a calendar too, what tells of events a feed', () => {
  const having = (name: string) =>
    Object.values(collections)
      .filter((each) => carrying('page', each).some((representation) => representation.name === name))
      .map((each) => each.name)
  assert.deepEqual(having('ics').toSorted(), ['deals', 'tasks'])
  assert.deepEqual(having('atom').toSorted(), ['events', 'history'])
})

test('a long page in parts is the same, and each part is short, in every representation with pages', () => {
  const text = 'A long text: <b> & "quotes", größer, 😀\\n'.repeat(500)
  const texts = Array.from(
    { length: 20 },
    (_, id) =>
      `{"id":${id},"name":"name ${id}","rate":0.00000001,"completionDate":"2026-11-17","description":${JSON.stringify(text)}}`,
  )
  for (const [kind, before, after] of [
    ['page', '{"items":[', '],"pageSize":20,"hasMore":true,"links":{"self":"/deals?page=1"}}'],
    ['list', '[', ']'],
  ] as const) {
    const columns = ['id', 'name', 'rate', 'description']
    const json = `${before}${texts.join()}${after}`
    const own = { title: 'Deals', kind, item: 'deal', columns, items: collections.deals, json } as const
    const document = { ...own, itemAddress: ({ id }: { readonly id?: unknown }) => `/deals/${id}` }
    for (const { name, parts, write, whole } of representations) {
      if (whole?.hasPages === false) continue
      const written = [...(parts?.({ ...document, joined: { before, texts, after } }, context) ?? [])]
      const bytes = (each: string | Uint8Array): Buffer => Buffer.from(each as string)
      const all = Buffer.concat(written.map(bytes))
      assert.ok(all.equals(bytes(write(document, context))), `${name} of a ${kind}`)
      assert.ok(Math.max(...written.map(({ length }) => length)) < 2 ** 17, `${name} of a ${kind}: a part is long`)
    }
  }
})

test('what carries a problem has a type for it', () => {
  for (const each of representations) assert.equal(each.carries('problem'), each.problemType !== undefined, each.name)
})

test('the type asked for is sent with the parameters of the usual one', () => {
  assert.equal(contentTypeFor(xml, 'text/xml'), 'text/xml; charset=utf-8')
  assert.equal(contentTypeFor(json, 'application/json'), 'application/json')
})

test('JSON is the document itself', () => {
  assert.equal(json.write(resource('{"paid":90000000000000.01}'), context), '{"paid":90000000000000.01}')
})

test('NDJSON is a line for each thing, exact to the cent', () => {
  assert.equal(
    ndjson.write(pageOf([{ id: 1 }, { id: 2, name: 'a\nb' }]), context),
    '{"id":1}\n{"id":2,"name":"a\\nb"}\n',
  )
  const list = resource('[{"paid":90000000000000.01}]', { kind: 'list' })
  assert.equal(ndjson.write(list, context), '{"paid":90000000000000.01}\n')
})

test('every amount is read as it is written', () => {
  for (const whole of [
    0, 1, 999_999_999_999, 7_036_874_417_766_399, 7_036_874_417_766_403, 8_999_999_999_999_999, 9e15,
  ]) {
    for (const thousandths of [whole, whole - 1, -whole]) {
      const text = amountToText(thousandths)
      const value = readDocument(`{"text":"1234567890123.5","paid":[${text}]}`)
      assert.equal(JSON.stringify(value), `{"text":"1234567890123.5","paid":[${text}]}`)
    }
  }
})

test('every rate is read as it is written, also where a double has an exponent', () => {
  for (const text of ['0.00000001', '0.0000007', '0.000001', '123456.12345678', '1000000']) {
    assert.equal(JSON.stringify(readDocument(`{"perUnit":${text}}`)), `{"perUnit":${text}}`)
    const list = resource(`[{"perUnit":${text}}]`, { kind: 'list' })
    assert.equal(csv.write(list, context), `perUnit\r\n${text}\r\n`)
    assert.match(String(yaml.write(list, context)), new RegExp(`perUnit: ${text}\n`))
  }
})

test('a number that a double holds stays a number', () => {
  assert.deepEqual(readDocument('[1.5,9007199254740991,1234567890123.45,"1234567890123.45"]'), [
    1.5,
    9007199254740991,
    1234567890123.45,
    '1234567890123.45',
  ])
  assert.equal(isExactNumber({ rawJSON: '1' }), false)
})
