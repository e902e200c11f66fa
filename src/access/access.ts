import { hash, randomBytes } from 'node:crypto'
import type { Credential, Credentials } from '../store/port/credentials.ts'
import type { Role } from '../values/role.ts'
import { countAttempts } from './attempts.ts'
import { type Authorization, readAuthorization } from './authorization.ts'
import { openHashing } from './hashing.ts'
import { keyHash } from './manage.ts'
import { isPassword, nobodysHash } from './password.ts'

/** Milliseconds until a removed credential, or the first added one, takes effect at the latest. */
const CONFIRMED_FOR = 2000
/** Milliseconds until a verified password is hashed again. */
const VERIFIED_FOR = 600_000
const MOST_VERIFIED = 1000
const MOST_HASHING = 2
const LONGEST_LINE = 64
const MOST_FAILURES = 20

export interface Caller {
  readonly name: string
  readonly role: Role
}

export type Identified =
  | { readonly caller: Caller }
  /** One answer for a wrong password, an unknown name, an unknown key and an unreadable header. */
  | { readonly refused: 'unknown' }
  | { readonly refused: 'throttled' | 'busy'; readonly retryAfter: number }

/** Who calls. */
export interface Access {
  /** Whether there is any user or key. Callers that must not wait for the store get the last known answer. */
  readonly hasAny: (waits: boolean) => boolean | Promise<boolean>
  /** Answers synchronously for a credential that was verified a moment ago. */
  readonly identify: (authorization: string, address: string) => Identified | Promise<Identified>
  readonly counts: {
    readonly verified: number
    readonly failed: number
    readonly throttled: number
    /** How many passwords were hashed, for unknown users too. */
    readonly hashed: number
    readonly waiting: number
  }
}

/** A verified credential; the key in the map is a keyed hash of the header. */
interface Verified {
  credential: Credential
  caller: { readonly caller: Caller }
  readonly until: number
  confirmed: number
}

/** `now` must be monotonic: otherwise a removed credential would count until the clock has caught up. */
export function openAccess(credentials: Credentials, now: () => number = () => performance.now()): Access {
  // Keyed, so that memory reveals nothing about a password that could be guessed. Four times cheaper than an HMAC;
  // length extension does not matter because the digest never leaves memory.
  const secret = randomBytes(32).toString('hex')
  const verified = new Map<string, Verified>()
  const verifying = new Map<string, Promise<Identified>>()
  const hashing = openHashing(MOST_HASHING, LONGEST_LINE)
  const attempts = countAttempts(MOST_FAILURES)
  const counts = { verified: 0, failed: 0, throttled: 0, hashed: 0 }
  let known = { any: false, at: -CONFIRMED_FOR }

  return {
    hasAny(waits) {
      if (now() - known.at < CONFIRMED_FOR) return known.any
      const any = lookForAny()
      if (waits || known.at < 0) return any
      any.catch(() => {})
      return known.any
    },
    identify(authorization, address) {
      const print = hash('sha256', secret + authorization, 'base64')
      const entry = verified.get(print)
      if (entry !== undefined && now() - entry.confirmed < CONFIRMED_FOR) return entry.caller
      const under = verifying.get(print)
      if (under !== undefined) return under
      const outcome = verify(print, entry, authorization, address).finally(() => verifying.delete(print))
      verifying.set(print, outcome)
      return outcome
    },
    get counts() {
      return { ...counts, waiting: hashing.waiting }
    },
  }

  async function lookForAny(): Promise<boolean> {
    const any = await credentials.any()
    known = { any, at: now() }
    return any
  }

  async function verify(
    print: string,
    entry: Verified | undefined,
    header: string,
    address: string,
  ): Promise<Identified> {
    const authorization = readAuthorization(header)
    if (authorization === undefined) return unknown
    const found = await find(authorization)
    if (entry !== undefined && entry.until > now() && found?.hash === entry.credential.hash) {
      return confirm(print, found, entry.until)
    }
    verified.delete(print)
    const proved = await prove(authorization, found, address)
    if ('refused' in proved) return proved
    counts.verified++
    return confirm(print, proved, now() + VERIFIED_FOR)
  }

  function find(authorization: Authorization): Promise<Credential | undefined> {
    return authorization.scheme === 'basic'
      ? credentials.user(authorization.name)
      : credentials.key(keyHash(authorization.key))
  }

  /** An unknown name takes the same path as a wrong password, so that neither answer nor time tells them apart. */
  async function prove(
    authorization: Authorization,
    found: Credential | undefined,
    address: string,
  ): Promise<Credential | Exclude<Identified, { caller: Caller }>> {
    if (isThrottled(address)) return throttled(address)
    if (authorization.scheme === 'bearer') return found ?? failed(address)
    const matches = hashing.run(async () => {
      if (isThrottled(address)) return 'throttled'
      counts.hashed++
      return isPassword(authorization.password, found?.hash ?? nobodysHash)
    })
    if (matches === undefined) return { refused: 'busy', retryAfter: 1 }
    const matched = await matches
    if (matched === 'throttled') return throttled(address)
    return matched && found !== undefined ? found : failed(address)
  }

  function isThrottled(address: string): boolean {
    return attempts.wait(address, now()) !== undefined
  }

  function throttled(address: string) {
    counts.throttled++
    return { refused: 'throttled', retryAfter: attempts.wait(address, now()) ?? 1 } as const
  }

  function failed(address: string) {
    counts.failed++
    attempts.fail(address, now())
    return unknown
  }

  function confirm(print: string, credential: Credential, until: number): Identified {
    const { name, role } = credential
    const caller = { caller: { name, role } }
    verified.delete(print)
    if (verified.size >= MOST_VERIFIED) verified.delete(verified.keys().next().value ?? '')
    verified.set(print, { credential, caller, until, confirmed: now() })
    return caller
  }
}

const unknown = { refused: 'unknown' } as const
