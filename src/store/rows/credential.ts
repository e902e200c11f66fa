import { isRole } from '../../values/role.ts'
import type { Credential, CredentialKind } from '../port/credentials.ts'

export const credentialColumns = ['kind', 'name', 'role', 'hash', 'created_at'] as const

export const credentialValues = ({ kind, name, role, hash, createdAt }: Credential): readonly string[] => [
  kind,
  name,
  role,
  hash,
  createdAt,
]

export function readCredential(row: readonly unknown[]): Credential {
  const [kind = '', name = '', role = '', hash = '', createdAt = ''] = row.map(String)
  if (!isRole(role)) throw new Error(`the credential ${name} has the unknown role ${role}`)
  return { kind: kind as CredentialKind, name, role, hash, createdAt }
}
