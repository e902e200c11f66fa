import type { Role } from '../../values/role.ts'

/** A caller: a user with a password, or a program with a key. */
export interface Credential {
  readonly kind: CredentialKind
  /** Users and keys share their names, so that an event's actor is one of them. */
  readonly name: string
  readonly role: Role
  /** A password's PHC string, or a key's SHA-256 in hexadecimal. */
  readonly hash: string
  readonly createdAt: string
}

export type CredentialKind = 'user' | 'key'

/** Where users and keys are kept. They are few, and only operators change them. */
export interface Credentials {
  user(name: string): Promise<Credential | undefined>
  key(hash: string): Promise<Credential | undefined>
  any(): Promise<boolean>
  /** In the order of their names. */
  list(kind: CredentialKind): Promise<readonly Credential[]>
  /** Whether it was added; false if the name is taken. */
  add(credential: Credential): Promise<boolean>
  /** Whether it existed. */
  remove(kind: CredentialKind, name: string): Promise<boolean>
}
