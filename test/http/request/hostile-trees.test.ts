import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { queryBounds } from '../../../src/values/bounds.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const times = (text: string, count: number): string => text.repeat(count)
const list = (count: number, each: (n: number) => string, by = ','): string =>
  Array.from({ length: count }, (_, n) => each(n)).join(by)

/** A filter in a dialect, as hostile as it can be. */
interface Hostile {
  readonly deep: string
  readonly wide: string
  readonly open: string
  readonly huge: string
}

const [deeper, more] = [queryBounds.depth + 1, queryBounds.terms + 1]
const digits = times('9', 3000)

const parameters: { readonly [dialect: string]: readonly [name: string, filters: Hostile] } = {
  'a logic parameter': [
    'or',
    {
      deep: `${times('(and', deeper - 1)}(age.eq.1${times(')', deeper)}`,
      wide: `(${list(more, (n) => `age.eq.${n}`)})`,
      open: `(age.eq.1,and(age.eq.2)`,
      huge: `(age.eq.${digits})`,
    },
  ],
  $filter: [
    '$filter',
    {
      deep: `${times('(', deeper)}age eq 1${times(')', deeper)}`,
      wide: list(more, (n) => `age eq ${n}`, ' or '),
      open: "(age eq 1 and name eq 'x",
      huge: `age eq ${digits}`,
    },
  ],
  JSON: [
    'filter',
    {
      deep: `${times('{"not":', deeper)}{"age":1}${times('}', deeper)}`,
      wide: `{"or":[${list(more, (n) => `{"age":${n}}`)}]}`,
      open: '{"or":[{"age":1}',
      huge: `{"age":${digits}}`,
    },
  ],
}

suite('a hostile tree is refused, by GET and by QUERY:', () => {
  for (const [dialect, [name, filters]] of Object.entries(parameters)) {
    for (const [how, value] of Object.entries(filters)) {
      test(`${dialect}, ${how}`, async () => {
        const sent = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
        await refuses('GET', `/customers?${sent}`)
        const form = { 'content-type': 'application/x-www-form-urlencoded' }
        await refuses('QUERY', '/customers', sent, form)
        if (name === 'filter') await refuses('QUERY', '/customers', `{"filter":${value}}`)
      })
    }
  }

  test('a flat filter, wide', () => refuses('GET', `/customers?${list(more, (n) => `age.gt=${n}`, '&')}`))
  test('a flat filter, huge', () => refuses('GET', `/customers?age=${digits}`))
  test('brackets, wide', () => refuses('GET', `/customers?${list(more, (n) => `age[gt]=${n}`, '&')}`))
  test('brackets, open', () => refuses('GET', '/customers?age[gt=1'))
  test('brackets, deep', () => refuses('GET', `/customers?filter${times('[age]', 1500)}=1`))
  test('words, wide', () => refuses('GET', `/customers?q=${list(11, (n) => `w${n}`, '+')}`))
  test('words, huge', () => refuses('GET', `/customers?q=${times('w', 3000)}`))
})

async function refuses(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<void> {
  const type = { 'content-type': 'application/json', ...headers }
  const answer = await service.request(
    method,
    path,
    body === undefined ? {} : { body: Buffer.from(body), headers: type },
  )
  assert.equal(answer.status, 400, answer.text.slice(0, 300))
  assert.ok(answer.text.length < 8000, `${answer.text.length} characters`)
}
