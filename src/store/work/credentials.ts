import type { Credentials } from '../port/credentials.ts'
import { credentialColumns, credentialValues, readCredential } from '../rows/credential.ts'
import { type SqlDialect, statementsIn } from '../sql/dialect.ts'
import type { RunStatement } from './work.ts'

/** Each is one statement, a transaction of its own. */
export function credentialStore(dialect: SqlDialect, read: RunStatement, write: RunStatement): Credentials {
  const { USER, KEY, ANY, LIST, INSERT, DELETE } = statements(dialect)
  return {
    user: async (name) => (await read(USER, name)).map(readCredential)[0],
    key: async (hash) => (await read(KEY, hash)).map(readCredential)[0],
    any: async () => (await read(ANY)).length > 0,
    list: async (kind) => (await read(LIST, kind)).map(readCredential),
    add: async (credential) => (await write(INSERT, ...credentialValues(credential))).length === 1,
    remove: async (kind, name) => (await write(DELETE, kind, name)).length === 1,
  }
}

function statements(dialect: SqlDialect) {
  const columns = credentialColumns.join(', ')
  return statementsIn(dialect, 'credentials', {
    USER: `SELECT ${columns} FROM credentials WHERE name = ?1 AND kind = 'user'`,
    KEY: `SELECT ${columns} FROM credentials WHERE hash = ?1 AND kind = 'key'`,
    ANY: 'SELECT 1 FROM credentials LIMIT 1',
    LIST: `SELECT ${columns} FROM credentials WHERE kind = ?1 ORDER BY name`,
    INSERT: `INSERT INTO credentials (${columns}) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (name) DO NOTHING RETURNING name`,
    DELETE: 'DELETE FROM credentials WHERE kind = ?1 AND name = ?2 RETURNING name',
  })
}
