import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { SERVICE } from '../../../src/store/port/desk.ts'
import { UnusableDatabase } from '../../../src/store/port/opening.ts'
import { performAlone } from '../../../src/store/port/store.ts'
import { CONNECTIONS } from '../../../src/store/postgres/connect/connections.ts'
import { openPostgres } from '../../../src/store/postgres/open.ts'
import { examinePostgres } from '../../../src/store/postgres/operate/examine.ts'
import { freshDatabase } from '../../support/database/postgres-database.ts'
import { intentTo } from '../../support/deals/intents.ts'
import { deal } from '../../support/schema.ts'

let url: string
before(async () => {
  url = await freshDatabase()
})

const clients: pg.Client[] = []
after(() => Promise.all(clients.map((client) => client.end())))
async function connect(to: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to })
  await client.connect()
  clients.push(client)
  return client
}

test('four instances that start at once on an empty database all serve it', async () => {
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgres({ url, currency: 'EUR' })))
  const made = await Promise.all(
    stores.map((store, n) => performAlone(store, intentTo('create', undefined, { name: `Deal ${n}`, price: n }))),
  )
  for (const store of stores) {
    for (const outcome of made)
      assert.ok(outcome.kind === 'applied' && (await store.as(SERVICE).find(deal, outcome.thing.id)) !== undefined)
  }
  await Promise.all(stores.map((store) => store.close()))
})

test('so do instances on a database whose transactions are serializable by default', async () => {
  const own = await freshDatabase()
  const admin = await connect(own)
  await admin.query(`ALTER DATABASE ${new URL(own).pathname.slice(1)} SET default_transaction_isolation = serializable`)
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgres({ url: own, currency: 'EUR' })))
  await Promise.all(stores.map((store) => store.close()))
})

test('a database of a newer release is refused, and left as it is', async () => {
  const client = await connect(url)
  await client.query('UPDATE dealdesk_schema SET version = version + 1')
  await refused(url, /was written by a newer release \(schema \d+, this one knows \d+\); start that release$/)
  await client.query('UPDATE dealdesk_schema SET version = version - 1')
})

test('a database with tables of another program is refused', async () => {
  const other = await freshDatabase()
  await (await connect(other)).query('CREATE TABLE deals (x int)')
  await refused(other, /has tables of another program$/)
})

test('a database in another encoding than UTF-8 is refused, and doctor tells it', async () => {
  const admin = await connect(url)
  await admin.query(`CREATE DATABASE bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`)
  const bytes = new URL(url)
  bytes.pathname = '/bytes'
  await refused(
    bytes.href,
    /has the encoding SQL_ASCII, which cannot keep every text; create it with: createdb -E UTF8/,
  )
  const { findings } = await examinePostgres(bytes.href)
  assert.ok(findings.some(({ state, text }) => state === 'fault' && /the encoding SQL_ASCII/.test(text)))
})

test('a write is synced where the database does not by default, and a stronger setting stays', async () => {
  const own = await freshDatabase()
  const admin = await connect(own)
  const name = new URL(own).pathname.slice(1)
  const seen: unknown[] = []
  for (const setting of ['off', 'remote_apply']) {
    await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = ${setting}`)
    const store = await openPostgres({ url: own, currency: 'EUR' })
    if (setting === 'off') {
      await admin.query(`CREATE TABLE seen (setting text);
        CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
        CREATE TRIGGER see AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION see()`)
    }
    await performAlone(store, intentTo('create', undefined, { name: 'Roof', price: 1 }))
    await store.perform({
      intents: [intentTo('create', undefined, { name: 'Tower', price: 1 })],
      atomic: true,
      dryRun: false,
      linked: true,
    })
    seen.push(...(await admin.query('DELETE FROM seen RETURNING setting')).rows.map(({ setting }) => setting))
    // The server of the tests syncs nothing.
    assert.match(store.opening.caution ?? '', /^fsync is off/)
    await store.close()
  }
  assert.deepEqual(seen, ['local', 'local', 'remote_apply', 'remote_apply'])
  const { findings } = await examinePostgres(own)
  assert.ok(findings.some(({ state, text }) => state === 'note' && /^fsync is off/.test(text)))
})

test('what an operator can mend is said in one line, without the password', async () => {
  const at = (change: (address: URL) => void): string => {
    const address = new URL(url)
    change(address)
    return address.href
  }
  await refused(
    at((address) => {
      address.port = '1'
    }),
    /cannot be reached; is PostgreSQL running there\?$/,
  )
  await refused(
    at((address) => {
      address.pathname = '/nowhere'
    }),
    /\/nowhere does not exist; create it with createdb$/,
  )
  await refused(
    at((address) => {
      address.username = 'nobody'
    }),
    /refuses this user; check the name and the password in DATABASE_URL$/,
  )
  await refused(
    at((address) => {
      address.hostname = 'nowhere.invalid'
    }),
    /is on a host that is not known$/,
  )
})

test('an instance has as many connections as it says', async () => {
  const own = await freshDatabase()
  const store = await openPostgres({ url: own, currency: 'EUR' })
  const admin = await connect(own)
  const { rows } = await admin.query(`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'dealdesk'`)
  assert.equal(rows[0].n, CONNECTIONS)
  await store.close()
})

test('a server without enough connections left is said so, and keeps none of them', async () => {
  const own = await freshDatabase()
  const admin = await connect(url)
  const name = new URL(own).pathname.slice(1)
  await admin.query(`ALTER DATABASE ${name} CONNECTION LIMIT 8`)
  // Nobody's superuser: a limit holds for the others only.
  await admin.query('CREATE ROLE guest LOGIN')
  await admin.query(`ALTER DATABASE ${name} OWNER TO guest`)
  const address = new URL(own)
  address.username = 'guest'
  await refused(address.href, /has no connection left$/)
  const kept = async () =>
    (await admin.query('SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = $1', [name])).rows[0].n
  while ((await kept()) > 0) await pause(10)
})

async function refused(address: string, message: RegExp): Promise<void> {
  await assert.rejects(openPostgres({ url: address, currency: 'EUR' }), (cause) => {
    assert.ok(cause instanceof UnusableDatabase, String(cause))
    assert.match(cause.message, message)
    assert.doesNotMatch(cause.message, /local@|\n/)
    return true
  })
}
