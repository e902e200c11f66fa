import type { AuditEvent, Author } from '../../model/user/audit.ts'
import type { ApiKey, KeyRefusal } from '../../model/user/key.ts'
import type { UserSession } from '../../model/user/session.ts'
import type { StoredUser, User } from '../../model/user/user.ts'
import type { Role } from '../../values/role.ts'

/** A user with what proves that it is them; it never leaves the service. */
export interface Account {
  readonly user: StoredUser
  /** The password's PHC string; null if none was set. */
  readonly hash: string | null
}

/** Perhaps with a link by which the user sets a password. */
export interface NewAccount extends Account {
  readonly invitation?: Invitation
}

/** Someone who calls, as a credential names them. A credential that ended, or of a disabled user, names nobody. */
export interface KnownCaller {
  /** The user, or a key that belongs to none: the actor of what is done. */
  readonly name: string
  readonly role: Role
  /** The user who calls or whose key it is; null for keys without a user. */
  readonly user: string | null
  /** What they sent: a password with each request, the cookie of a session, a key or an access token. */
  readonly by: 'password' | 'session' | 'key' | 'token'
  /** The name of the key that was sent; null if it was none. */
  readonly key: string | null
  /** When the key ends; null if never, and for others. */
  readonly endsAt: string | null
  /** The id of the session; null for keys. */
  readonly session: string | null
  /** When the person of the session last showed who they are; null if that is not known, and for others. */
  readonly signedInAt: string | null
  /** The user's full name, which pages show. */
  readonly fullName: string | null
  /** When the session was last used, or the user last seen. */
  readonly seenAt: string | null
}

/** A new session and the hash of its cookie. */
export interface NewSession {
  readonly session: UserSession
  readonly hash: string
  /** When the person showed who they are, if that is not now; null if it is not known. */
  readonly signedInAt?: string | null
  /** The hash of the password that was verified: one that was changed meanwhile opens nothing. */
  readonly proof?: string | null
}

/** A link by which a user sets a password, once. */
export interface Invitation {
  readonly user: string
  readonly hash: string
  readonly createdAt: string
  readonly endsAt: string
}

/** Someone at an OpenID provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** A form that waits for its sender to sign in; only whoever has the secret of the hash can open it. */
export interface SealedForm {
  readonly hash: string
  /** Who sent it: one address keeps so many. */
  readonly address: string
  readonly endsAt: string
  readonly sealed: string
}

/** The code by which the first admin is made. */
export interface SetUpCode {
  readonly hash: string
  readonly createdAt: string
  readonly endsAt: string
}

/** What has ended by now, and what was written down before an instant. */
export interface TrimBefore {
  readonly now: string
  readonly idleSince: string
  readonly auditBefore: string
}

/** Where users, their credentials and sessions, and the audit are kept. Each change writes its entries of the audit. */
export interface Accounts {
  /** Whether there is any user or key. */
  any(): Promise<boolean>
  anyUser(): Promise<boolean>
  find(name: string): Promise<Account | undefined>
  /** All users, in the order of their names. */
  users(): Promise<readonly User[]>
  keys(): Promise<readonly ApiKey[]>
  callerByKey(hash: string, now: string): Promise<KnownCaller | undefined>
  /** A session that was idle since before `idleSince` has ended. */
  callerBySession(hash: string, now: string, idleSince: string): Promise<KnownCaller | undefined>
  /** Notes that someone was there, unless that was noted after `before`. */
  seen(who: Pick<KnownCaller, 'user' | 'session'>, now: string, before: string): Promise<void>

  /** False if the name is taken by a user, or a key that belongs to none. `event` is how the user came to be. */
  add(account: NewAccount, by: Author, event?: AuditEvent): Promise<boolean>
  /** Adds the first user only; a key may have the name. */
  addFirst(account: Account, by: Author): Promise<'added' | 'taken' | 'not first'>
  /** Sets a password and ends all sessions; false if there is no such user, or the hash is no longer `before`. */
  setPassword(name: string, hash: string, before: string | null | undefined, by: Author): Promise<boolean>

  /** Opens a session if the user is enabled and the proof still holds; ends the one that it replaces. */
  openSession(opened: NewSession, replaces: string | undefined, by: Author, detail: string): Promise<boolean>
  /** Ends the session with this hash, if there is one. */
  signOut(hash: string, address: string): Promise<void>
  /** Ends one session of a user, or all; gives how many were ended. */
  endSessions(user: string, id: string | undefined, event: AuditEvent, by: Author): Promise<number>

  /** Unless its name is taken, its user is gone, or has as many as a user may have. */
  addKey(key: ApiKey, hash: string, by: Author): Promise<'added' | KeyRefusal | 'no user'>
  /** Whether it existed; a user of null is that of a key that belongs to none. */
  removeKey(key: Pick<ApiKey, 'name' | 'user'>, by: Author): Promise<boolean>

  /** Replaces an earlier one of the user; false if there is no such user. */
  invite(invitation: Invitation, by: Author): Promise<boolean>
  /** The user of an invitation that has not ended. */
  invited(hash: string, now: string): Promise<User | undefined>
  /** Sets the password of the invited user, ends the invitation and all sessions; undefined if it was used. */
  accept(hash: string, passwordHash: string, by: Author, now: string): Promise<User | undefined>

  /** The name of the user whose calendar has this secret, unless they are disabled. */
  calendarOwner(hash: string): Promise<string | undefined>

  /** The user who is someone at a provider. */
  findIdentified(identity: Identity): Promise<StoredUser | undefined>
  /** Adds a user who is someone at a provider; false if the name is taken. */
  addIdentified(user: StoredUser, identity: Identity, by: Author): Promise<boolean>
  /** Who a user is at a provider: one at each at most. */
  identitiesOf(user: string): Promise<readonly Identity[]>
  /** Makes a user the one who is someone at a provider, instead of whoever was; false if there is no such user. */
  link(user: string, identity: Identity, by: Author): Promise<boolean>

  /** False if too many are kept, of its address or at all. */
  keepForm(form: SealedForm, now: string): Promise<boolean>
  /** The sealed form, once; undefined if it was taken or has ended. */
  takeForm(hash: string, now: string): Promise<string | undefined>

  /** Keeps the code of all instances, unless one can still be used: then gives when that was made. */
  openSetUp(code: SetUpCode): Promise<string | undefined>
  /** Whether it is the code; each answer is a try. */
  trySetUp(hash: string, now: string): Promise<'right' | 'wrong' | 'ended'>

  record(
    event: AuditEvent,
    about: { readonly user: string | null; readonly detail: string | null },
    by: Author,
  ): Promise<void>
  /** Removes sessions, invitations and kept forms that have ended, and old entries of the audit. */
  trim(before: TrimBefore): Promise<void>
}
