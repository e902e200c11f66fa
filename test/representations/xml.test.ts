import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { xml } from '../../src/representations/xml.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { acceptedText, context, pageOf, resource } from '../support/inputs/sample-documents.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  processEntities: { enabled: true, maxTotalExpansions: 1e6, maxExpandedLength: 1e7 },
})

const write = (json: string) => xml.write(resource(json), context)

function read(text: string) {
  assert.equal(XMLValidator.validate(text), true)
  return parser.parse(text)
}

test('a resource is an element of its own name with an element for each member', () => {
  const written = write('{"id":7,"name":"Roof","held":false,"links":{"operations":{"change-price":"/x"}}}')
  assert.equal(
    written,
    '<?xml version="1.0" encoding="UTF-8"?>\n<deal xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
      '<id>7</id><name>Roof</name><held>false</held>' +
      '<links><operations><change-price>/x</change-price></operations></links></deal>\n',
  )
})

test('a page is a collection whose items have the name of the thing', () => {
  const { collection } = read(xml.write(pageOf([{ id: 1 }, { id: 2, items: [3] }]), context))
  assert.deepEqual(collection.items, { deal: [{ id: '1' }, { id: '2', items: { item: '3' } }] })
  assert.equal(collection.page, '1')
  assert.equal(collection.hasMore, 'false')
  assert.deepEqual(collection.links, { self: '/rest/v1/deals' })
})

test('a bare list is its items', () => {
  const list = resource('[{"id":1},{"id":2}]', { kind: 'list' })
  assert.deepEqual(read(xml.write(list, context)).items.deal, [{ id: '1' }, { id: '2' }])
})

test('a problem has the form that RFC 9457 appendix B gives it', () => {
  const problem = resource('{"status":422,"errors":[{"detail":"a"},{"detail":"b"}]}', { kind: 'problem' })
  const read_ = read(xml.write(problem, context)).problem
  assert.equal(read_['@_xmlns'], 'urn:ietf:rfc:7807')
  assert.deepEqual(read_.errors, { i: [{ detail: 'a' }, { detail: 'b' }] })
})

test('null is told from empty text', () => {
  const written = write('{"owner":null,"description":""}')
  assert.match(written, /<owner xsi:nil="true"\/><description><\/description>/)
})

test('a name that is no XML name becomes an attribute', () => {
  const written = write('{"$schema":1,"a b":2,"xmlThing":3,"x:y":4,"a\\"<\\n":5,"":6}')
  assert.deepEqual(
    read(written).deal.entry.map((entry: Record<string, string>) => [entry['@_name'], entry['#text']]),
    [
      ['$schema', '1'],
      ['a b', '2'],
      ['xmlThing', '3'],
      ['x:y', '4'],
      ['a"<\n', '5'],
      ['', '6'],
    ],
  )
})

test('an amount beyond what a double holds keeps every digit', () => {
  assert.match(write('{"paid":90000000000000.01}'), /<paid>90000000000000\.01<\/paid>/)
})

test('what XML cannot carry does not break the document', () => {
  assert.equal(read(write('{"detail":"a\\u0001b\\u0000\\uffff"}')).deal.detail, 'a\ufffdb\ufffd\ufffd')
})

test('every text that the service accepts is read back unchanged', () => {
  fc.assert(
    fc.property(fc.array(acceptedText, { minLength: 2, maxLength: 4 }), (texts) => {
      const { deal } = read(write(JSON.stringify({ name: texts[0], nested: { texts } })))
      assert.equal(deal.name, texts[0])
      assert.deepEqual(deal.nested.texts.item, texts)
    }),
    { numRuns: 500 },
  )
})
