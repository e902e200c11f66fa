import { isRole } from '../../values/role.ts'
import type { Credential, CredentialKind, Credentials } from '../port/credentials.ts'
import type { Row } from './connection.ts'
import type { Connections } from './connections.ts'

export function credentialRows({ read, write }: Connections): Credentials {
  const find = async (statement: typeof USER, value: string): Promise<Credential | undefined> => {
    const [row] = await read(statement, [value])
    return row && readCredential(row)
  }
  return {
    user: (name) => find(USER, name),
    key: (hash) => find(KEY, hash),
    any: async () => (await read(ANY, [])).length > 0,
    list: async (kind) => (await read(LIST, [kind])).map(readCredential),
    async add({ kind, name, role, hash, createdAt }) {
      return (await write(name, INSERT, [kind, name, role, hash, createdAt])).length === 1
    },
    remove: async (kind, name) => (await write(name, DELETE, [kind, name])).length === 1,
  }
}

function readCredential([kind, name, role, hash, createdAt]: Row): Credential {
  const known = String(role)
  if (!isRole(known)) throw new Error(`the credential ${name} has the unknown role ${known}`)
  return {
    kind: String(kind) as CredentialKind,
    name: String(name),
    role: known,
    hash: String(hash),
    createdAt: String(createdAt),
  }
}

const columns = 'kind, name, role, hash, created_at'
const USER = { name: 'user', text: `SELECT ${columns} FROM credentials WHERE name = $1 AND kind = 'user'` }
const KEY = { name: 'key', text: `SELECT ${columns} FROM credentials WHERE hash = $1 AND kind = 'key'` }
const ANY = { name: 'any-credential', text: 'SELECT 1 FROM credentials LIMIT 1' }
const LIST = { name: 'credentials', text: `SELECT ${columns} FROM credentials WHERE kind = $1 ORDER BY name` }
const INSERT = {
  name: 'add-credential',
  text: `INSERT INTO credentials (${columns}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING RETURNING name`,
}
const DELETE = {
  name: 'remove-credential',
  text: 'DELETE FROM credentials WHERE kind = $1 AND name = $2 RETURNING name',
}
