import { hash, randomBytes } from 'node:crypto'
import type { Account, Accounts, KnownCaller } from '../store/port/accounts.ts'
import type { Part } from '../store/traced-store.ts'
import { credentialFinder, readAuthorization } from './credentials.ts'
import type { TokenCallers } from './oidc/token-callers.ts'
import { openVerification, type RefusedCredential } from './verification.ts'

/** Milliseconds until an ended credential, or the first added one, takes effect at the latest, on every instance. */
const CONFIRMED_FOR = 900
/** Milliseconds until a verified password is hashed again. */
const VERIFIED_FOR = 600_000
const MOST_VERIFIED = 10_000
/** Milliseconds between two updates of a user's last activity. */
const SEEN_EVERY = 60_000

/** An identified caller. */
export type Caller = Omit<KnownCaller, 'seenAt' | 'endsAt'>

export type Identified = { readonly caller: Caller } | RefusedCredential

/** A verified credential; the key in the map is a keyed hash of it. */
interface Verified {
  readonly caller: { readonly caller: Caller }
  /** The hash of the verified password; a changed one must be verified again. */
  readonly proof: string | undefined
  /** When a key ends. */
  readonly endsAt: string | null
  readonly until: number
  readonly confirmed: number
}

/** A credential that is being looked up. */
interface Verifying {
  readonly began: number
  readonly outcome: Promise<Identified>
}

/** An identified caller as of the last lookup. */
interface LookedUp extends Pick<Verified, 'proof'> {
  at: number
  outcome: Identified | Promise<Identified>
}

export interface AccessSettings {
  /** Must be monotonic: otherwise an ended credential would count until the clock has caught up. */
  readonly now?: () => number
  /** The time for the end of sessions and keys. */
  readonly wall?: () => number
  /** Resolves access tokens. */
  readonly tokens?: TokenCallers | undefined
  /** `hasAny` looks for it; any user or key by default. */
  readonly anyone?: 'any' | 'anyUser'
  readonly part?: Part | undefined
}

/** Identifies callers. */
export class Access {
  readonly counts: Readonly<ReturnType<typeof openVerification>['counts']>
  readonly #accounts: Accounts
  readonly #now: () => number
  readonly #wall: () => number
  readonly #anyone: 'any' | 'anyUser'
  readonly #verification: ReturnType<typeof openVerification>
  readonly #finder: ReturnType<typeof credentialFinder>
  // Keyed, so that memory reveals nothing about a password that could be guessed. Four times cheaper than an HMAC;
  // length extension does not matter because the digest never leaves memory.
  readonly #secret = randomBytes(32).toString('hex')
  readonly #verified = new Map<string, Verified>()
  readonly #verifying = new Map<string, Verifying>()
  readonly #lookedUp = new WeakMap<Caller, LookedUp>()
  #known = { any: false, at: Number.NEGATIVE_INFINITY, isKnown: false }
  /** Lookups before this instant are not trusted. */
  #refreshed = Number.NEGATIVE_INFINITY

  constructor(accounts: Accounts, settings: AccessSettings = {}) {
    const { now = () => performance.now(), wall = Date.now, tokens, anyone = 'any', part } = settings
    this.#accounts = accounts
    this.#now = now
    this.#wall = wall
    this.#anyone = anyone
    this.#verification = openVerification(accounts, now, part)
    this.#finder = credentialFinder(accounts, wall, tokens)
    this.counts = this.#verification.counts
  }

  /**
   * Whether there is any user or key; if SET_UP asks for the first user, whether there is any user. Callers that must
   * not wait for the store get the last known answer.
   */
  hasAny(waits: boolean): boolean | Promise<boolean> {
    if (this.#isRecent(this.#known.at)) return this.#known.any
    const any = this.#lookForAny()
    if (waits || !this.#known.isKnown) return any
    any.catch(() => {})
    return this.#known.any
  }

  /** By an Authorization header. Answers synchronously for a recently verified credential. */
  identify(authorization: string, address: string): Identified | Promise<Identified> {
    return this.#recall(authorization, (print, entry) => this.#verify(print, entry, authorization, address))
  }

  /** The caller that an unexpired key named at the last lookup, while the store is unavailable. */
  remembered(authorization: string): Identified | undefined {
    const entry = this.#verified.get(this.#printOf(authorization))
    if (entry === undefined || entry.confirmed <= this.#refreshed || entry.caller.caller.key === null) return undefined
    return entry.endsAt === null || Date.parse(entry.endsAt) > this.#wall() ? entry.caller : undefined
  }

  /** By the cookie of a session. */
  identifySession(token: string): Identified | Promise<Identified> {
    return this.#recall(token, (print) => this.#verifySession(print, token))
  }

  /**
   * Whom the credential of an identified caller names now, for long answers: an Authorization header, or the cookie of
   * the caller's session. It counts neither as an attempt nor as activity.
   */
  identifyAgain(caller: Caller, credential: string): Identified | Promise<Identified> {
    const last = this.#lookedUp.get(caller)
    if (last === undefined) return unknown
    if (!this.#isRecent(last.at)) {
      last.at = this.#now()
      last.outcome = this.#lookAgain(caller, credential, last.proof)
    }
    return last.outcome
  }

  /** By name and password, for a sign-in: the user, and the hash that was verified. */
  prove(name: string, password: string, address: string): Promise<Account | RefusedCredential> {
    return this.#verification.password(name, password, address)
  }

  /** Forgets confirmed credentials, so that one that was ended here ends at once. */
  refresh(): void {
    this.#refreshed = this.#now()
  }

  #isRecent(at: number): boolean {
    return this.#now() - at < CONFIRMED_FOR && at > this.#refreshed
  }

  #printOf(credential: string): string {
    return hash('sha256', this.#secret + credential, 'base64')
  }

  async #lookForAny(): Promise<boolean> {
    const at = this.#now()
    const any = await this.#accounts[this.#anyone]()
    this.#known = { any, at, isKnown: true }
    return any
  }

  #recall(
    credential: string,
    look: (print: string, entry: Verified | undefined) => Promise<Identified>,
  ): Identified | Promise<Identified> {
    const print = this.#printOf(credential)
    const entry = this.#verified.get(print)
    if (entry !== undefined && this.#isRecent(entry.confirmed)) return entry.caller
    const under = this.#verifying.get(print)
    // A caller that arrives after something was ended does not share an earlier lookup.
    if (under !== undefined && under.began > this.#refreshed) return under.outcome
    const own = { began: this.#now(), outcome: look(print, entry) }
    const over = () => this.#verifying.get(print) === own && this.#verifying.delete(print)
    own.outcome.then(over, over)
    this.#verifying.set(print, own)
    return own.outcome
  }

  async #verify(print: string, entry: Verified | undefined, header: string, address: string): Promise<Identified> {
    const authorization = readAuthorization(header)
    if (authorization === undefined) return unknown
    const at = this.#now()
    // A throttled caller is not admitted either.
    const found = await this.#finder.find(authorization, this.#verification.mustWait(address) ? undefined : address)
    if ('refused' in found) return found.refused === 'unknown' ? this.#verification.failed(address) : found
    if (entry !== undefined && entry.until > at && found.known !== undefined && found.proof === entry.proof) {
      return this.#confirm(print, found.known, { ...entry, confirmed: at })
    }
    this.#verified.delete(print)
    const proved =
      authorization.scheme === 'basic'
        ? await this.#verification.password(authorization.name, authorization.password, address)
        : this.#verification.key(found.known, address)
    if ('refused' in proved) return proved
    // The password was right, but the user is disabled.
    if (found.known === undefined) return unknown
    return this.#confirm(print, found.known, { proof: found.proof, until: this.#now() + VERIFIED_FOR, confirmed: at })
  }

  async #verifySession(print: string, token: string): Promise<Identified> {
    const at = this.#now()
    const caller = await this.#finder.findSession(token)
    this.#verified.delete(print)
    if (caller === undefined) return unknown
    return this.#confirm(print, caller, { proof: undefined, until: Number.POSITIVE_INFINITY, confirmed: at })
  }

  async #lookAgain({ session }: Caller, credential: string, proof: string | undefined): Promise<Identified> {
    const at = this.#now()
    const authorization = session === null ? readAuthorization(credential) : undefined
    const found =
      authorization === undefined
        ? { known: await this.#finder.findSession(credential), proof: undefined }
        : await this.#finder.find(authorization, undefined)
    if ('refused' in found) return found
    if (found.known === undefined || found.proof !== proof) return unknown
    const { seenAt: _seen, endsAt: _ends, ...caller } = found.known
    const outcome = { caller }
    this.#lookedUp.set(caller, { proof, at, outcome })
    return outcome
  }

  #confirm(
    print: string,
    { seenAt, endsAt, ...caller }: KnownCaller,
    how: Pick<Verified, 'proof' | 'until' | 'confirmed'>,
  ): Identified {
    const entry = { ...how, endsAt, caller: { caller } }
    this.#verified.delete(print)
    if (this.#verified.size >= MOST_VERIFIED) this.#verified.delete(this.#verified.keys().next().value ?? '')
    this.#verified.set(print, entry)
    this.#lookedUp.set(caller, { proof: how.proof, at: how.confirmed, outcome: entry.caller })
    this.#noteSeen(caller, seenAt)
    return entry.caller
  }

  /** Nobody waits for this update, and it is lost if the store is unavailable. */
  #noteSeen(caller: Caller, seenAt: string | null): void {
    const moment = this.#wall()
    if (caller.user === null || (seenAt !== null && Date.parse(seenAt) > moment - SEEN_EVERY)) return
    const before = new Date(moment - SEEN_EVERY).toISOString()
    this.#accounts.seen(caller, new Date(moment).toISOString(), before).catch(() => {})
  }
}

const unknown = { refused: 'unknown' } as const
