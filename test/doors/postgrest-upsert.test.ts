import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { PostgrestClient } from '@supabase/postgrest-js'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'

let service: ClosedService
let client: PostgrestClient

before(async () => {
  service = await runClosedService()
  // Where supabase-js looks for it.
  client = clientOf(service.keys.admin)
})
after(() => service.close())

const clientOf = (key: string, headers: { readonly [name: string]: string } = {}) =>
  new PostgrestClient(`${service.url}/postgrest/rest/v1`, { headers: { ...bearer(key), apikey: key, ...headers } })

const rowsNamed = async (name: string) => {
  const { data } = await client
    .from('deals')
    .select('reference,name,price,revision')
    .eq('name', name)
    .order('reference')
  return data as readonly { reference: string; price: number; revision: number }[]
}

suite('an upsert of PostgREST', () => {
  test('makes the rows whose value nothing has, and changes the others', async () => {
    const by = { onConflict: 'reference' }
    const rows = (price: number) => ['M-1', 'M-2'].map((reference) => ({ reference, name: 'Merge', price }))
    const first = await client.from('deals').upsert(rows(1), by).select()
    assert.deepEqual([first.status, first.data?.length], [201, 2])
    const mixed = [...rows(2), { reference: 'M-3', name: 'Merge', price: 2 }]
    const second = await client.from('deals').upsert(mixed, by).select('reference,price,revision')
    assert.equal(second.status, 201)
    const { status } = await client.from('deals').upsert(mixed, by)
    assert.equal(status, 200, 'all of them were there')
    assert.deepEqual(await rowsNamed('Merge'), [
      { reference: 'M-1', name: 'Merge', price: 2, revision: 2 },
      { reference: 'M-2', name: 'Merge', price: 2, revision: 2 },
      { reference: 'M-3', name: 'Merge', price: 2, revision: 1 },
    ])
  })

  test('leaves rows as they are where that is preferred, and shows those that it made', async () => {
    const by = { onConflict: 'reference', ignoreDuplicates: true }
    const row = (reference: string, price: number) => ({ reference, name: 'Ignore', price })
    await client.from('deals').upsert(row('I-1', 1), by)
    const { data, status } = await client
      .from('deals')
      .upsert([row('I-1', 9), row('I-2', 2)], by)
      .select('reference')
    assert.deepEqual([status, data], [201, [{ reference: 'I-2' }]])
    assert.deepEqual(
      (await rowsNamed('Ignore')).map(({ price }) => price),
      [1, 2],
    )
    const none = await client
      .from('deals')
      .upsert([row('I-1', 9), row('I-2', 9)], by)
      .select()
    assert.deepEqual([none.status, none.data], [200, []])
  })

  test('of many at once makes one row', async () => {
    for (const ignoreDuplicates of [false, true]) {
      const name = `At once ${ignoreDuplicates}`
      const row = { reference: `O-${ignoreDuplicates}`, name, price: 1 }
      const done = await Promise.all(
        Array.from({ length: 12 }, () =>
          client.from('deals').upsert([row], { onConflict: 'reference', ignoreDuplicates }),
        ),
      )
      assert.deepEqual(done.map(({ error }) => error).filter(Boolean), [])
      assert.equal((await rowsNamed(name)).length, 1)
    }
  })

  test('compares ids without on_conflict, and null with nothing', async () => {
    const made = await client.from('customers').upsert({ name: 'By id' }).select('id').single()
    const id = (made.data as { id: number } | null)?.id
    const changed = await client.from('customers').upsert({ id, name: 'By id', age: 30 }).select('id,age').single()
    assert.deepEqual([changed.status, changed.data], [200, { id, age: 30 }])
    assert.equal((await client.from('customers').upsert({ id: 999_999, name: 'x' })).status, 404)
    const nulls = [1, 2].map(() => ({ reference: null, name: 'Null', price: 1 }))
    assert.equal((await client.from('deals').upsert(nulls, { onConflict: 'reference' })).status, 201)
    assert.equal((await rowsNamed('Null')).length, 2)
  })

  test('takes effect whole or not at all, and says which row is refused', async () => {
    const good = { reference: 'W-1', name: 'Whole', price: 1 }
    const rows = [good, { reference: 'W-2', name: 'Whole', price: -1 }]
    const { error, status } = await client.from('deals').upsert(rows, { onConflict: 'reference' })
    assert.equal(status, 422)
    assert.match(error?.details ?? '', /^\/1\/price/)
    assert.deepEqual(await rowsNamed('Whole'), [])
    const twice = await client.from('deals').upsert([good, good], { onConflict: 'reference' })
    assert.deepEqual([twice.status, twice.error?.code], [400, '21000'])
    const unknown = await client.from('deals').upsert(good, { onConflict: 'name' })
    assert.deepEqual([unknown.status, unknown.error?.code], [400, '42P10'])
    const strange = await client.from('deals').upsert({ ...good, pirce: 1 }, { onConflict: 'reference' })
    assert.equal(strange.status, 422)
    const reader = clientOf(service.keys.reader)
    assert.equal((await reader.from('deals').upsert(good, { onConflict: 'reference' })).status, 403)
    const tried = clientOf(service.keys.admin, { prefer: 'tx=rollback' })
    assert.equal((await tried.from('deals').upsert(good, { onConflict: 'reference' })).status, 201)
    assert.deepEqual(await rowsNamed('Whole'), [])
  })

  test('is decided once under a key', async () => {
    const keyed = clientOf(service.keys.admin, { 'idempotency-key': randomUUID() })
    const rows = ['K-1', 'K-2'].map((reference) => ({ reference, name: 'Keyed', price: 1 }))
    for (let times = 0; times < 2; times++) {
      const { data, error } = await keyed.from('deals').upsert(rows, { onConflict: 'reference' }).select('reference')
      assert.deepEqual([error, data?.length], [null, 2])
    }
    assert.deepEqual(
      (await rowsNamed('Keyed')).map(({ revision }) => revision),
      [1, 1],
    )
    const ignoring = await keyed.from('deals').upsert(rows, { onConflict: 'reference', ignoreDuplicates: true })
    assert.equal(ignoring.status, 400)
  })

  test('by PUT is for one row that the address names', async () => {
    const put = async (query: string, body: object, headers: object = {}) => {
      const answer = await fetch(`${service.url}/postgrest/deals?${query}`, {
        method: 'PUT',
        headers: { ...bearer(service.keys.admin), 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const row = { reference: 'P-1', name: 'Put', price: 1 }
    assert.equal((await put('reference=eq.P-1', row)).status, 201)
    const shown = { prefer: 'return=representation' }
    const changed = await put('reference=eq.P-1', [{ ...row, price: 2 }], shown)
    assert.equal(changed.status, 200)
    const [whole] = JSON.parse(changed.text)
    assert.deepEqual([whole.price, whole.revision], [2, 2])
    assert.equal((await put(`id=eq.${whole.id}`, whole)).status, 204, 'a row may be sent as it was read')
    assert.equal((await put(`id=eq.${whole.id}`, { ...whole, status: 'completed' })).status, 422)
    for (const [query, body, code] of [
      ['reference=eq.P-1', { ...row, reference: 'P-2' }, 'PGRST115'],
      ['reference=eq.P-1', [row, row], 'PGRST102'],
      ['name=eq.Put', row, 'PGRST105'],
      ['reference=eq.P-1&price=eq.1', row, 'PGRST105'],
      ['', row, 'PGRST105'],
    ] as const)
      assert.match((await put(query, body)).text, new RegExp(`"code":"${code}"`))
  })
})

test('another schema is none of ours', async () => {
  const other = client.schema('other')
  const { status, error } = await other.from('deals').select()
  assert.deepEqual([status, error?.code], [406, 'PGRST106'])
  assert.equal((await client.schema('public').from('deals').select().limit(1)).status, 200)
})
