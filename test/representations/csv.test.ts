import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { csv, withoutFormulaMark } from '../../src/representations/csv.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { acceptedText, context, pageOf, resource } from '../support/inputs/sample-documents.ts'

const write = (items: readonly object[], columns?: readonly string[]) =>
  csv.write(pageOf(items, columns && { columns }), context)

test('the header comes first, then a row for each thing, each ended by CR LF', () => {
  assert.equal(
    write(
      [
        { id: 1, name: 'Ana' },
        { id: 2, name: 'Bo' },
      ],
      ['name', 'id'],
    ),
    'name,id\r\nAna,1\r\nBo,2\r\n',
  )
})

test('without stated columns every name that occurs is one', () => {
  assert.equal(write([{ a: 1 }, { b: 2, a: 3 }]), 'a,b\r\n1,\r\n3,2\r\n')
})

test('an empty page still has its header', () => {
  assert.equal(write([], ['id', 'name']), 'id,name\r\n')
})

test('null is an empty cell, empty text a quoted one, anything nested is JSON', () => {
  const row = write([{ a: null, b: '', c: { d: [1, 'x'] }, e: true }]).split('\r\n')[1]
  assert.equal(row, ',"","{""d"":[1,""x""]}",true')
})

test('a null that is all of its row leaves no empty line, which readers would skip', () => {
  assert.equal(write([{ age: 18 }, { age: null }], ['age']), 'age\r\n18\r\n""\r\n')
})

test('a bare list has the same rows as a page', () => {
  assert.equal(csv.write(resource('[{"id":1}]', { kind: 'list' }), context), 'id\r\n1\r\n')
})

test('text that a spreadsheet would run is made text, and a number stays a number', () => {
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", "'t Hooft"]
  for (const text of cells) {
    assert.deepEqual(parse(write([{ text }, { text: 1 }]))[1], [`'${text}`])
  }
  assert.equal(write([{ price: -12.5 }]), 'price\r\n-12.5\r\n')
})

test('in a table for people a number keeps its minus, and text is still made text', () => {
  const kind = (name: 'amount' | 'text') => ({ kind: { name } })
  const fields = new Map([
    ['share', kind('amount')],
    ['note', kind('text')],
  ])
  const columns = [...fields.keys()]
  const writer = csv.whole?.begin({
    ...{
      name: 'deals',
      title: 'Deals',
      address: '/deals',
      columns,
      chosen: true,
      items: { item: 'deal', key: 'id', fields },
    },
    shown: { heads: ['Anteil', 'Notiz'], separator: ';' },
  })
  assert.equal(writer?.batch(['{"share":"-1234,5","note":"-1234,5"}']), "-1234,5;'-1234,5\r\n")
})

test('an amount beyond what a double holds keeps every digit', () => {
  const list = resource('[{"paid":90000000000000.01,"nested":{"paid":90000000000000.01}}]', { kind: 'list' })
  assert.equal(csv.write(list, context).split('\r\n')[1], '90000000000000.01,"{""paid"":90000000000000.01}"')
})

const startsOddly = fc
  .tuple(fc.stringMatching(/^[=+\-@\t\r'’t\n]{0,3}$/), acceptedText)
  .map(([beginning, text]) => beginning + text)

test('every text is read back as it was, and none is a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(acceptedText, startsOddly), { minLength: 2, maxLength: 5 }), (texts) => {
      const [, row] = parse(write([Object.fromEntries(texts.map((text, index) => [`c${index}`, text]))]))
      for (const [index, cell] of (row ?? []).entries()) {
        assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
        assert.equal(withoutFormulaMark(cell), texts[index])
      }
      assert.equal(row?.length, texts.length)
    }),
    { numRuns: 500 },
  )
})

test('an apostrophe that no export put there stays', () => {
  for (const text of ["'t Hooft", "'90s", "'", "'é", '’s']) assert.equal(withoutFormulaMark(text), text)
})
