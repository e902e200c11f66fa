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

/** Identifies callers. */
export interface Access {
  /**
   * Whether there is any user or key; if SET_UP asks for the first user, whether there is any user. Callers that must
   * not wait for the store get the last known answer.
   */
  readonly hasAny: (waits: boolean) => boolean | Promise<boolean>
  /** By an Authorization header. Answers synchronously for a recently verified credential. */
  readonly identify: (authorization: string, address: string) => Identified | Promise<Identified>
  /** The caller that an unexpired key named at the last lookup, while the store is unavailable. */
  readonly remembered: (authorization: string) => Identified | undefined
  /** By the cookie of a session. */
  readonly identifySession: (token: string) => Identified | Promise<Identified>
  /**
   * Whom the credential of an identified caller names now, for long answers: an Authorization header, or the cookie of
   * the caller's session. It counts neither as an attempt nor as activity.
   */
  readonly identifyAgain: (caller: Caller, credential: string) => Identified | Promise<Identified>
  /** By name and password, for a sign-in: the user, and the hash that was verified. */
  readonly prove: (name: string, password: string, address: string) => Promise<Account | RefusedCredential>
  /** Forgets confirmed credentials, so that one that was ended here ends at once. */
  readonly refresh: () => void
  readonly counts: {
    readonly verified: number
    readonly failed: number
    readonly throttled: number
    /** The number of hashed passwords, including those of unknown users. */
    readonly hashed: number
    readonly waiting: number
  }
}

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

/**
 * `now` must be monotonic: otherwise an ended credential would count until the clock has caught up. `wall` gives the
 * time for the end of sessions and keys. `tokens` resolves access tokens. `hasAny` uses `anyone`.
 */
export function openAccess(
  accounts: Accounts,
  now: () => number = () => performance.now(),
  wall: () => number = Date.now,
  tokens?: TokenCallers,
  anyone: 'any' | 'anyUser' = 'any',
  part?: Part,
): Access {
  // Keyed, so that memory reveals nothing about a password that could be guessed. Four times cheaper than an HMAC;
  // length extension does not matter because the digest never leaves memory.
  const secret = randomBytes(32).toString('hex')
  const verified = new Map<string, Verified>()
  const verifying = new Map<string, Verifying>()
  const lookedUp = new WeakMap<Caller, LookedUp>()
  const { counts, ...verification } = openVerification(accounts, now, part)
  const { find, findSession } = credentialFinder(accounts, wall, tokens)
  let known = { any: false, at: Number.NEGATIVE_INFINITY, isKnown: false }
  /** Lookups before this instant are not trusted. */
  let refreshed = Number.NEGATIVE_INFINITY

  return {
    hasAny(waits) {
      if (isRecent(known.at)) return known.any
      const any = lookForAny()
      if (waits || !known.isKnown) return any
      any.catch(() => {})
      return known.any
    },
    identify: (authorization, address) =>
      recall(authorization, (print, entry) => verify(print, entry, authorization, address)),
    remembered(authorization) {
      const entry = verified.get(printOf(authorization))
      if (entry === undefined || entry.confirmed <= refreshed || entry.caller.caller.key === null) return undefined
      return entry.endsAt === null || Date.parse(entry.endsAt) > wall() ? entry.caller : undefined
    },
    identifySession: (token) => recall(token, (print) => verifySession(print, token)),
    identifyAgain(caller, credential) {
      const last = lookedUp.get(caller)
      if (last === undefined) return unknown
      if (!isRecent(last.at)) {
        last.at = now()
        last.outcome = lookAgain(caller, credential, last.proof)
      }
      return last.outcome
    },
    prove: verification.password,
    refresh() {
      refreshed = now()
    },
    counts,
  }

  function isRecent(at: number): boolean {
    return now() - at < CONFIRMED_FOR && at > refreshed
  }

  function printOf(credential: string): string {
    return hash('sha256', secret + credential, 'base64')
  }

  async function lookForAny(): Promise<boolean> {
    const at = now()
    const any = await accounts[anyone]()
    known = { any, at, isKnown: true }
    return any
  }

  function recall(
    credential: string,
    look: (print: string, entry: Verified | undefined) => Promise<Identified>,
  ): Identified | Promise<Identified> {
    const print = printOf(credential)
    const entry = verified.get(print)
    if (entry !== undefined && isRecent(entry.confirmed)) return entry.caller
    const under = verifying.get(print)
    // A caller that arrives after something was ended does not share an earlier lookup.
    if (under !== undefined && under.began > refreshed) return under.outcome
    const own = { began: now(), outcome: look(print, entry) }
    const over = () => verifying.get(print) === own && verifying.delete(print)
    own.outcome.then(over, over)
    verifying.set(print, own)
    return own.outcome
  }

  async function verify(
    print: string,
    entry: Verified | undefined,
    header: string,
    address: string,
  ): Promise<Identified> {
    const authorization = readAuthorization(header)
    if (authorization === undefined) return unknown
    const at = now()
    // A throttled caller is not admitted either.
    const found = await find(authorization, verification.mustWait(address) ? undefined : address)
    if ('refused' in found) return found.refused === 'unknown' ? verification.failed(address) : found
    if (entry !== undefined && entry.until > at && found.known !== undefined && found.proof === entry.proof) {
      return confirm(print, found.known, { ...entry, confirmed: at })
    }
    verified.delete(print)
    const proved =
      authorization.scheme === 'basic'
        ? await verification.password(authorization.name, authorization.password, address)
        : verification.key(found.known, address)
    if ('refused' in proved) return proved
    // The password was right, but the user is disabled.
    if (found.known === undefined) return unknown
    return confirm(print, found.known, { proof: found.proof, until: now() + VERIFIED_FOR, confirmed: at })
  }

  async function verifySession(print: string, token: string): Promise<Identified> {
    const at = now()
    const caller = await findSession(token)
    verified.delete(print)
    if (caller === undefined) return unknown
    return confirm(print, caller, { proof: undefined, until: Number.POSITIVE_INFINITY, confirmed: at })
  }

  async function lookAgain({ session }: Caller, credential: string, proof: string | undefined): Promise<Identified> {
    const at = now()
    const authorization = session === null ? readAuthorization(credential) : undefined
    const found =
      authorization === undefined
        ? { known: await findSession(credential), proof: undefined }
        : await find(authorization, undefined)
    if ('refused' in found) return found
    if (found.known === undefined || found.proof !== proof) return unknown
    const { seenAt: _seen, endsAt: _ends, ...caller } = found.known
    const outcome = { caller }
    lookedUp.set(caller, { proof, at, outcome })
    return outcome
  }

  function confirm(
    print: string,
    { seenAt, endsAt, ...caller }: KnownCaller,
    how: Pick<Verified, 'proof' | 'until' | 'confirmed'>,
  ): Identified {
    const entry = { ...how, endsAt, caller: { caller } }
    verified.delete(print)
    if (verified.size >= MOST_VERIFIED) verified.delete(verified.keys().next().value ?? '')
    verified.set(print, entry)
    lookedUp.set(caller, { proof: how.proof, at: how.confirmed, outcome: entry.caller })
    noteSeen(caller, seenAt)
    return entry.caller
  }

  /** Nobody waits for this update, and it is lost if the store is unavailable. */
  function noteSeen(caller: Caller, seenAt: string | null): void {
    const moment = wall()
    if (caller.user === null || (seenAt !== null && Date.parse(seenAt) > moment - SEEN_EVERY)) return
    const before = new Date(moment - SEEN_EVERY).toISOString()
    accounts.seen(caller, new Date(moment).toISOString(), before).catch(() => {})
  }
}

const unknown = { refused: 'unknown' } as const
