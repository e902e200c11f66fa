import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { yaml } from '../../src/representations/yaml.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { acceptedText, context, pageOf, resource } from '../support/inputs/sample-documents.ts'

const write = (value: unknown): string => yaml.write(resource(JSON.stringify(value)), context)

const lookalikes = [
  ...['1', '1.5', '-3', '1e3', '0x1f', '0o17', '1_000', '12:30:45', '2026-11-15', '2026-11-15T08:00:00Z', '.5', '.inf'],
  ...['true', 'False', 'yes', 'No', 'on', 'OFF', 'y', 'N', 'null', 'Null', '~', '', ' ', 'NaN', '=', '<<'],
  ...['- a', 'a: b', 'a #b', '#', '&a', '*a', '!a', '|', '>', '%a', '@a', '`a', "'", '"', '[', '{', '?', '---', '...'],
  ...['a:', 'a ', ' a', 'a\nb', 'a\r\nb', 'a\tb', 'a\u0085b', 'a\u2028b', '\ufeffa', 'a\u00a0', 'Ana Ruiz', 'é', '😀'],
]

test('a parser of either version reads every value back', () => {
  const value = {
    texts: lookalikes,
    names: Object.fromEntries(lookalikes.map((name) => [name, name])),
    nested: [[], {}, [[1, [2]], [{ a: [{ b: null }] }]], { list: [], object: {}, deep: { er: [true] } }],
    scalars: [null, true, false, 0, -1.5, 9007199254740991],
  }
  assert.deepEqual(parse(write(value)), value)
  assert.deepEqual(parse(write(value), { version: '1.1' }), value)
})

test('every text that the service accepts is read back', () => {
  fc.assert(
    fc.property(acceptedText, (text) => {
      const read = { [text]: text, list: [text, { text }] }
      assert.deepEqual(parse(write(read)), read)
      assert.deepEqual(parse(write(read), { version: '1.1' }), read)
    }),
  )
})

test('a page reads like a text', () => {
  assert.equal(
    yaml.write(pageOf([{ id: 1, name: 'Ana Ruiz', born: '1985-02-03', age: null }]), context),
    'items:\n  - id: 1\n    name: Ana Ruiz\n    born: "1985-02-03"\n    age: null\n' +
      'page: 1\npageSize: 50\nhasMore: false\nlinks:\n  self: "/rest/v1/deals"\n',
  )
})

test('amounts keep every digit', () => {
  assert.equal(yaml.write(resource('{"paid":90000000000000.01}'), context), 'paid: 90000000000000.01\n')
  assert.equal(yaml.write(resource('[]'), context), '[]\n')
})
