import type { AuditNote, Author } from '../../model/declaration/audit-note.ts'
import type { Correction } from '../../model/intent/correction.ts'
import type { ApiKey } from '../../model/nouns/user/key.ts'
import type { Identity } from '../../model/nouns/user/operations.ts'
import type { UserSession } from '../../model/nouns/user/session.ts'
import type { StoredUser, User } from '../../model/nouns/user/user.ts'
import type { Role } from '../../values/role.ts'

/** A user with the password's hash, which never leaves the service. */
export interface Account {
  readonly user: StoredUser
  /** The password's PHC string; null if none was set. */
  readonly hash: string | null
}

/** A caller, as a credential names them. An ended credential, or one of a disabled user, names nobody. */
export interface KnownCaller {
  /** The user, or a key without a user: the actor of changes. */
  readonly name: string
  readonly role: Role
  /** The roles that admins made, if there are any: the user's, then the key's or the token's. */
  readonly own?: readonly string[]
  /** The user who calls or whose key it is; null for keys without a user. */
  readonly user: string | null
  /** The kind of credential: a password with each request, the cookie of a session, a key or an access token. */
  readonly by: 'password' | 'session' | 'key' | 'token'
  /** The name of the sent key; null if it was not a key. */
  readonly key: string | null
  /** When the key ends; null if never, and for other credentials. */
  readonly endsAt: string | null
  /** The id of the session; null for keys. */
  readonly session: string | null
  /** When the person of the session last authenticated; null if unknown, and for other credentials. */
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
  /** When the person authenticated, if that is not now; null if unknown. */
  readonly signedInAt?: string | null
  /** The hash of the verified password: if it was changed meanwhile, no session opens. */
  readonly proof?: string | null
}

/** A form that waits for its sender to sign in; only the holder of the secret can open it. */
export interface SealedForm {
  readonly hash: string
  /** The sender's address, for the limit per address. */
  readonly address: string
  readonly endsAt: string
  readonly sealed: string
}

/** The code for creating the first admin. */
export interface SetUpCode {
  readonly hash: string
  readonly createdAt: string
  readonly endsAt: string
}

/** The time now, and the instant before which entries of the audit are removed. */
export interface TrimBefore {
  readonly now: string
  readonly idleSince: string
  readonly auditBefore: string
}

/**
 * Identifies and admits callers: by a password, an invitation, a provider, or as the first user. All other operations on
 * users, keys and sessions go through `store.perform`. Each change writes its entries of the audit.
 */
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
  /** Records activity, unless it was recorded after `before`. */
  seen(who: Pick<KnownCaller, 'user' | 'session'>, now: string, before: string): Promise<void>

  /** Adds the first user only; a key may have the name. */
  addFirst(account: Account, by: Author): Promise<'added' | 'taken' | 'not first'>

  /** Opens a session if the user is enabled and the proof still holds; ends the one that it replaces. */
  openSession(opened: NewSession, replaces: string | undefined, by: Author, detail: string): Promise<boolean>
  /** Ends the session with this hash, if there is one. */
  signOut(hash: string, address: string): Promise<void>

  /** The user of an invitation that has not ended. */
  invited(hash: string, now: string): Promise<User | undefined>
  /** Sets the password of the invited user, ends the invitation and all sessions; undefined if it was used. */
  accept(hash: string, passwordHash: string, by: Author, now: string): Promise<User | undefined>

  /** The name of the user whose calendar has this secret, unless they are disabled. */
  calendarOwner(hash: string): Promise<string | undefined>
  /** Whether a user's calendar has an address. */
  hasCalendar(user: string): Promise<boolean>

  /** The user for a person at a provider. */
  findIdentified(identity: Identity): Promise<StoredUser | undefined>
  /** A user's identities: at most one at each provider. */
  identitiesOf(user: string): Promise<readonly Identity[]>

  /** False if too many are stored, of its address or in all. */
  keepForm(form: SealedForm, now: string): Promise<boolean>
  /** The sealed form, once; undefined if it was taken or has ended. */
  takeForm(hash: string, now: string): Promise<string | undefined>

  /** Stores the code for all instances, unless one can still be used: then returns when that was made. */
  openSetUp(code: SetUpCode): Promise<string | undefined>
  /** Whether it is the code; each call counts as an attempt. */
  trySetUp(hash: string, now: string): Promise<'right' | 'wrong' | 'ended'>

  /** The corrections of persons that are under way, in the order in which they began. */
  corrections(): Promise<readonly Correction[]>
  beginCorrection(correction: Correction): Promise<void>
  endCorrection(id: string): Promise<void>

  record(event: string, about: AuditNote, by: Author): Promise<void>
  /** Removes ended sessions, invitations and forms, and old entries of the audit. */
  trim(before: TrimBefore): Promise<void>
}
