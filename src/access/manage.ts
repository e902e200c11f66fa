import { createHash, randomBytes } from 'node:crypto'
import type { Credentials } from '../store/port/credentials.ts'
import { nameText, textFault } from '../values/kinds/text.ts'
import type { Role } from '../values/role.ts'
import { hashPassword } from './password.ts'

const SHORTEST_PASSWORD = 8
const LONGEST_PASSWORD = 1024
const KEY_BYTES = 32

/** RFC 7617: a name cannot hold a colon. */
const name = nameText({ min: 1, max: 64, pattern: { regex: /^[^:]*$/, detail: 'must not contain a colon' } })

interface NewCredential {
  readonly name: string
  readonly role: Role
  readonly now: string
}

export async function addUser(
  credentials: Credentials,
  { password, ...user }: NewCredential & { readonly password: string },
): Promise<{ readonly added: string } | { readonly fault: string }> {
  const read = name.read(user.name)
  if ('fault' in read) return { fault: `the name ${read.fault}` }
  const weak = passwordFault(password)
  if (weak !== undefined) return { fault: `the password ${weak}` }
  const { role, now: createdAt } = user
  const hash = await hashPassword(password)
  const added = await credentials.add({ kind: 'user', name: read.value, role, hash, createdAt })
  return added ? { added: read.value } : taken(read.value)
}

/** Returns the key, which cannot be read again: only its hash is kept. */
export async function addKey(
  credentials: Credentials,
  key: NewCredential,
): Promise<{ readonly key: string } | { readonly fault: string }> {
  const read = name.read(key.name)
  if ('fault' in read) return { fault: `the name ${read.fault}` }
  const made = `dd_${randomBytes(KEY_BYTES).toString('base64url')}`
  const { role, now: createdAt } = key
  const added = await credentials.add({ kind: 'key', name: read.value, role, hash: keyHash(made), createdAt })
  return added ? { key: made } : taken(read.value)
}

/** A key has 256 random bits, so one pass of SHA-256 is enough. */
export const keyHash = (key: string): string => createHash('sha256').update(key).digest('hex')

const taken = (name: string) => ({ fault: `there is already a user or key called ${name}` })

function passwordFault(password: string): string | undefined {
  const length = [...password].length
  if (length < SHORTEST_PASSWORD) return `must have at least ${SHORTEST_PASSWORD} characters`
  if (length > LONGEST_PASSWORD) return `must have at most ${LONGEST_PASSWORD} characters`
  return textFault(password)
}
