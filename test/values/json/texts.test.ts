import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  areLong,
  ListedTexts,
  listed,
  mapTexts,
  PackedTexts,
  SEPARATOR,
  sizeOf,
  someListed,
  TextPacker,
  unpacked,
} from '../../../src/values/json/texts.ts'

const texts = [
  '{"a":"ž"}',
  '',
  `"${'😀'.repeat(400_000)}"`,
  '{}',
  ...Array.from({ length: 3000 }, (_, n) => `"${n} é"`),
]

function packed(order: readonly number[] = texts.map((_, nth) => nth)): PackedTexts {
  const packer = new TextPacker()
  for (const text of texts) packer.add(text)
  return new PackedTexts(packer.end(), order)
}

test('packed texts are the same when they are read, as often as they are', () => {
  const found = packed()
  assert.equal(found.length, texts.length)
  assert.deepEqual([...found], texts)
  assert.deepEqual(unpacked(found), texts)
  assert.deepEqual([...packed([3, 0, 2])], [texts[3], texts[0], texts[2]])
  assert.deepEqual([...new PackedTexts(new TextPacker().end(), [])], [])
})

test('they are lines of UTF-8, and as long as these', () => {
  const packer = new TextPacker()
  for (const text of texts) packer.add(text)
  const { chunks } = packer.end()
  const lines = Buffer.concat(chunks)
  assert.equal(lines.toString(), texts.map((text) => `${text}\n`).join(''))
  assert.equal(sizeOf(packed()), lines.length)
  assert.ok(areLong(packed()))
})

test('what becomes of each is made when it is read', () => {
  let made = 0
  const changed = mapTexts(packed([0, 3]), (text) => `${++made}${text}`)
  assert.deepEqual([made, changed.length], [0, 2])
  assert.deepEqual([...listed(changed)], [`1${texts[0]}`, `,2${texts[3]}`])
  assert.equal([...listed([])].join(''), '')
})

test('texts whose memory was given back cannot be read', () => {
  const found = packed()
  found.release()
  assert.throws(() => [...found], TypeError)
})

test('joined texts are read one by one, and a part of them keeps its bytes', () => {
  const all = ['{"a":"ž"}', '"x,\\n"', '{}', '[1,2]']
  const bytes = new TextEncoder().encode(all.join(SEPARATOR))
  assert.deepEqual([...new ListedTexts(bytes, all.length)], all)
  assert.deepEqual(
    JSON.parse(`[${Buffer.from(bytes)}]`),
    all.map((text) => JSON.parse(text)),
  )
  for (let from = 0; from <= all.length; from++) {
    for (let to = from; to <= all.length; to++) {
      const part = someListed(new ListedTexts(bytes, all.length), from, to - from)
      const expected = all.slice(from, to)
      assert.deepEqual([[...part], part.length], [expected, expected.length])
      assert.equal(Buffer.from(part.bytes).toString(), expected.join(SEPARATOR))
      assert.equal(part.bytes.buffer, bytes.buffer)
    }
  }
})
