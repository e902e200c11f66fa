import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { atom } from '../../src/representations/atom.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { acceptedText, context, pageOf } from '../support/inputs/sample-documents.ts'
import { collections } from '../support/schema.ts'

const { history } = collections

const happened = { revision: 2, type: 'deal.held', actor: 'ana', at: '2026-03-04T05:06:07.891Z', params: {} }

const write = (items: readonly object[], more: object = {}): string =>
  Buffer.from(atom.write(pageOf(items, { items: history, ...more }), context) as Uint8Array).toString()

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  ignoreAttributes: false,
  isArray: (name) => name === 'entry',
})

interface FeedEntry {
  readonly id: string
  readonly title: string
  readonly updated: string
  readonly author?: { readonly name: string }
  readonly link?: object
  readonly content: { readonly entry: readonly { readonly params: { readonly reason: string } }[] }
}

function read(text: string): { readonly id: string; readonly updated: string; readonly entry?: readonly FeedEntry[] } {
  assert.equal(XMLValidator.validate(text), true)
  return parser.parse(text).feed
}

test('a feed says who did what when', () => {
  const earlier = { ...happened, revision: 1, actor: null, at: '2026-03-03T05:06:07.891Z' }
  const feed = read(write([happened, earlier], { itemAddress: () => '/rest/v1/deals/1/history/2' }))
  assert.deepEqual([feed.id, feed.updated], ['urn:dealdesk:rest/v1/deals', happened.at])
  const [first, second] = feed.entry ?? []
  assert.equal(first?.id, 'urn:dealdesk:rest/v1/deals/1/history/2')
  assert.deepEqual(first?.link, { '@_href': '/rest/v1/deals/1/history/2' })
  assert.deepEqual([first?.title, first?.updated, first?.author?.name], ['deal.held', happened.at, 'ana'])
  assert.deepEqual([second?.updated, second?.author], [earlier.at, undefined])
})

test('an empty feed is one too, and an address of the world is its own identifier', () => {
  assert.equal(read(write([])).updated, '1970-01-01T00:00:00.000Z')
  const [entry] = read(write([happened], { itemAddress: () => 'https://desk.example/1' })).entry ?? []
  assert.equal(entry?.id, 'https://desk.example/1')
})

test('every text that the service accepts is read back', () => {
  fc.assert(
    fc.property(acceptedText, (reason) => {
      const [entry] = read(write([{ ...happened, actor: reason, params: { reason } }])).entry ?? []
      assert.equal(entry?.content.entry[0]?.params.reason, reason)
      assert.equal(entry?.author?.name ?? '', reason)
    }),
  )
})
