import '../../../support/database/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { runService, type TestService } from '../../../support/service/running-service.ts'

suite('a fault of the server itself is a missing store, not a defect of ours', () => {
  let service: TestService
  before(async () => {
    service = await runService()
    await service.request('POST', '/customers', { body: { name: 'Ann' } })
    await service.database.rows(`
      CREATE TABLE broken (code text);
      CREATE FUNCTION break() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'invalid page in block 7' USING ERRCODE = (SELECT code FROM broken);
      END $$;
      CREATE FUNCTION break_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM break(); END $$;
      CREATE TRIGGER breaking BEFORE INSERT ON deals FOR EACH ROW EXECUTE FUNCTION break_row();
      ALTER TABLE customers RENAME TO kept;
      CREATE VIEW customers AS SELECT * FROM kept WHERE break()`)
  })
  after(() => service.close())

  for (const [code, what] of [
    ['XX001', 'damaged data'],
    ['XX002', 'a damaged index'],
    ['XX000', 'a defect of the server'],
    ['53100', 'a full disk'],
    ['57000', 'an intervention of its operator'],
    ['58030', 'an I/O error'],
  ] as const) {
    test(`${code}, ${what}`, async () => {
      await service.database.rows(`TRUNCATE broken; INSERT INTO broken VALUES ('${code}')`)
      const read = await service.request('GET', '/customers/1')
      const written = await service.request('POST', '/rest/v1/deals', { body: { name: 'Roof', price: 1 } })
      for (const { status, headers, body } of [read, written]) {
        assert.deepEqual([status, body.code, headers['retry-after']], [503, 'unavailable', '5'])
      }
    })
  }
})
