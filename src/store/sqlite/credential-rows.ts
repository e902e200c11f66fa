import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { isRole } from '../../values/role.ts'
import type { Credential, CredentialKind, Credentials } from '../port/credentials.ts'

/** Written here and not in the writer's thread: by the command line only, one statement at a time. */
export function credentialRows(db: DatabaseSync): Credentials {
  const columns = 'kind, name, role, hash, created_at'
  const user = db.prepare(`SELECT ${columns} FROM credentials WHERE name = ? AND kind = 'user'`)
  const key = db.prepare(`SELECT ${columns} FROM credentials WHERE hash = ? AND kind = 'key'`)
  const any = db.prepare('SELECT 1 FROM credentials LIMIT 1')
  const list = db.prepare(`SELECT ${columns} FROM credentials WHERE kind = ? ORDER BY name`)
  const insert = db.prepare(`INSERT INTO credentials (${columns}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`)
  const remove = db.prepare('DELETE FROM credentials WHERE kind = ? AND name = ?')
  return {
    async user(name) {
      const row = user.get(name)
      return row && readCredential(row)
    },
    async key(hash) {
      const row = key.get(hash)
      return row && readCredential(row)
    },
    any: async () => any.get() !== undefined,
    list: async (kind) => list.all(kind).map(readCredential),
    add: async ({ kind, name, role, hash, createdAt }) => insert.run(kind, name, role, hash, createdAt).changes === 1,
    remove: async (kind, name) => remove.run(kind, name).changes === 1,
  }
}

function readCredential(row: Record<string, SQLOutputValue>): Credential {
  const role = String(row.role)
  if (!isRole(role)) throw new Error(`the credential ${row.name} has the unknown role ${role}`)
  return {
    kind: String(row.kind) as CredentialKind,
    name: String(row.name),
    role,
    hash: String(row.hash),
    createdAt: String(row.created_at),
  }
}
