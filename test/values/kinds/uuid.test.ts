import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid, uuid, uuidV7 } from '../../../src/values/kinds/uuid.ts'
import { fc } from '../../support/inputs/fast-check.ts'

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const random = fc.uint8Array({ minLength: 10, maxLength: 10 })

test('a made id is a UUID of version 7 and of the variant of RFC 9562', () => {
  fc.assert(
    fc.property(time, random, (milliseconds, bytes) => {
      const id = uuidV7(milliseconds, bytes)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.ok(isUuid(id))
      assert.equal(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), milliseconds)
    }),
  )
})

test('ids sort by the millisecond of their making, whatever chance gave them', () => {
  fc.assert(
    fc.property(time, time, random, random, (a, b, some, other) => {
      fc.pre(a !== b)
      assert.equal(uuidV7(a, some) < uuidV7(b, other), a < b)
    }),
  )
})

test('two ids of one millisecond differ when chance does', () => {
  const ids = new Set(Array.from({ length: 256 }, (_, byte) => uuidV7(1, new Uint8Array(10).fill(byte))))
  assert.equal(ids.size, 256)
})

test('an id is read in either case and has no other spelling', () => {
  const id = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
  assert.deepEqual(uuid.read(id), { value: id })
  assert.deepEqual(uuid.read(id.toUpperCase()), { value: id })
  for (const raw of [`{${id}}`, `${id} `, id.replaceAll('-', ''), `${id}\n`, '', 7, null, [id]]) {
    assert.ok('fault' in uuid.read(raw), String(raw))
  }
})
