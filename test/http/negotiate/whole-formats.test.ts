import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import readWorkbook from 'read-excel-file/node'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService

before(async () => {
  service = await runService()
  for (let n = 1; n <= 60; n++) {
    await service.request('POST', '/customers', { body: { name: `=Customer ${n}`, age: n } })
  }
  await openDeal(service, { name: 'Roof', price: 12.5, completionDate: '2026-11-30', customerId: 1 })
})
after(() => service.close())

const fetched = (path: string, init: RequestInit = {}) => fetch(new URL(path, service.url), init)

async function rowsAt(path: string): Promise<readonly (readonly unknown[])[]> {
  const answer = await fetched(path)
  assert.equal(answer.status, 200)
  const [sheet] = (await readWorkbook(Buffer.from(await answer.arrayBuffer()))) as unknown as [{ data: unknown[][] }]
  return sheet.data
}

test('a workbook has the whole filtered result, or the page that is asked for', async () => {
  const all = await rowsAt('/customers.xlsx?fields=id,name&age.gt=5')
  assert.deepEqual(all.slice(0, 2), [
    ['id', 'name'],
    [6, '=Customer 6'],
  ])
  assert.equal(all.length, 56)
  assert.equal((await rowsAt('/customers.xlsx?maxpagesize=10')).length, 11)
  assert.deepEqual(await rowsAt('/customers.xlsx?age.gt=1000&fields=id'), [['id']])
})

test('a workbook has groups and related things like every table', async () => {
  assert.deepEqual(await rowsAt('/customers.xlsx?measure=count,max.age'), [
    ['count', 'max.age'],
    [60, 60],
  ])
  assert.deepEqual(await rowsAt(`${DEALS}.xlsx?fields=price,completionDate,customer.age`), [
    ['price', 'completionDate', 'customer.age'],
    [12.5, new Date('2026-11-30'), 1],
  ])
})

test('a workbook is a file, is not compressed twice, and HEAD has its headers', async () => {
  for (const path of ['/customers.xlsx', '/customers.xlsx?maxpagesize=50']) {
    const headers = { 'accept-encoding': 'gzip, br' }
    const got = await fetched(path, { headers })
    const head = await fetched(path, { method: 'HEAD', headers })
    assert.equal(got.headers.get('content-encoding'), null)
    assert.equal(got.headers.get('content-disposition'), 'attachment; filename="customers.xlsx"')
    for (const name of ['content-type', 'content-disposition', 'vary', 'content-length']) {
      assert.equal(head.headers.get(name), got.headers.get(name), name)
    }
    assert.equal((await got.arrayBuffer()).byteLength > 1000, true)
  }
})
