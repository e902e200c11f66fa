import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { NOTHING_ADDED } from '../../../src/model/schema/build-schema.ts'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

testOnEachStore('a request is answered by the schema in use, and its tags are of that schema', async () => {
  const { id } = await openDeal(service)
  const self = `${DEALS}/${id}`
  const read = (path: string, headers = {}) => service.request('GET', path, { headers })
  const paths = [self, `${self}/history/1`, '/openapi.json', '/docs', `/odata/Deals(${id})`]
  const tags = () => Promise.all(paths.map(async (path) => String((await read(path)).headers.etag)))
  const earlier = await tags()
  const guardedPath = `${DEALS}/${(await openDeal(service)).id}`
  const guarding = (await read(guardedPath)).headers.etag
  const asking = `${DEALS}?fields=id,own.region&own.region.null=true`
  assert.equal((await read(asking)).status, 400)
  assert.doesNotMatch((await read('/openapi.json')).text, /"region"/)

  const region = { on: 'deal', name: 'region', title: 'Region', kind: 'text' } as const
  await service.store.schemas.adopt({ ...NOTHING_ADDED, version: 1, fields: [region] })
  const later = await tags()
  for (const [at, path] of paths.entries()) {
    const [was, is] = [String(earlier[at]), String(later[at])]
    assert.notEqual(is, was, path)
    assert.equal((await read(path, { 'if-none-match': was })).status, 200, path)
    assert.equal((await read(path, { 'if-none-match': is })).status, 304, path)
  }
  const guarded = { headers: { 'if-match': String(guarding) }, body: { description: 'Once' } }
  assert.equal((await service.request('PATCH', guardedPath, guarded)).status, 200, 'a tag of an older schema')
  assert.equal((await service.request('PATCH', guardedPath, guarded)).status, 412, 'and of an earlier revision')
  assert.deepEqual((await openDeal(service, { own: { region: 'North' } })).own, { region: 'North' })
  assert.deepEqual((await read(`${DEALS}?fields=own.region&own.region=North`)).body.items, [
    { own: { region: 'North' } },
  ])
  assert.match((await read('/openapi.json')).text, /"region"/)
  assert.match((await read('/new/deals', { accept: 'text/html' })).text, /name="own.region"/)

  await service.store.schemas.adopt({ ...NOTHING_ADDED, version: 2, fields: [] })
  assert.equal((await read(asking)).status, 400)
  assert.equal((await read(self)).body.region, undefined)
})
