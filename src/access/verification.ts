import type { Account, Accounts } from '../store/port/accounts.ts'
import type { Part } from '../store/traced-store.ts'
import { openHashing } from './hashing.ts'
import { isPassword, nobodysHash } from './password.ts'

const MOST_HASHING = 2
const LONGEST_LINE = 64
/** Wrong credentials per minute, for an address and for a name. */
const MOST_FAILURES = 20
const MOST_FAILURES_OF_NAME = 40
const MOST_PLACES = 10_000

export type RefusedCredential =
  /** One answer for a wrong password, an unknown name, an unknown key, an ended session and an unreadable header. */
  { readonly refused: 'unknown' } | { readonly refused: 'throttled' | 'busy'; readonly retryAfter: number }

/** Checks passwords and keys, and limits the attempts of an address and for a name. */
/** `part` measures a part of a trace. */
export function openVerification(accounts: Accounts, now: () => number, part?: Part) {
  const hashing = openHashing(MOST_HASHING, LONGEST_LINE)
  const addresses = countAttempts(MOST_FAILURES)
  const names = countAttempts(MOST_FAILURES_OF_NAME)
  /** Addresses from which a user has signed in: attempts on the name from elsewhere do not lock them out. */
  const places = new Set<string>()
  const counts = {
    verified: 0,
    failed: 0,
    throttled: 0,
    hashed: 0,
    get waiting() {
      return hashing.waiting
    },
  }

  return { password, key, failed, mustWait, counts }

  /**
   * An unknown name takes the same path as a wrong password, so that neither the answer nor its time reveals the
   * difference.
   */
  async function password(name: string, given: string, address: string): Promise<Account | RefusedCredential> {
    if (wait(address, name) !== undefined) return throttled(address, name)
    const account = await accounts.find(name)
    const matches = hashing.run(async () => {
      if (wait(address, name) !== undefined) return 'throttled'
      counts.hashed++
      const compare = () => isPassword(given, account?.hash ?? nobodysHash)
      return part === undefined ? compare() : part('argon2', compare, { 'dealdesk.waiting': hashing.waiting })
    })
    if (matches === undefined) return { refused: 'busy', retryAfter: 1 }
    const matched = await matches
    if (matched === 'throttled') return throttled(address, name)
    if (!matched || account === undefined || account.user.disabled) {
      names.fail(nameKey(name), now())
      return recordFailed(address, account?.user.name ?? null)
    }
    if (places.size >= MOST_PLACES) places.delete(places.values().next().value ?? '')
    places.add(`${address} ${name}`)
    counts.verified++
    return account
  }

  function key<K extends object>(found: K | undefined, address: string): K | RefusedCredential {
    if (mustWait(address)) return throttled(address)
    if (found === undefined) return recordFailed(address, null)
    counts.verified++
    return found
  }

  function mustWait(address: string): boolean {
    return addresses.wait(address, now()) !== undefined
  }

  function wait(address: string, name?: string): number | undefined {
    const own = addresses.wait(address, now())
    if (own !== undefined || name === undefined || places.has(`${address} ${name}`)) return own
    return names.wait(nameKey(name), now())
  }

  function throttled(address: string, name?: string): RefusedCredential {
    counts.throttled++
    return { refused: 'throttled', retryAfter: wait(address, name) ?? 1 }
  }

  function recordFailed(address: string, user: string | null): RefusedCredential {
    accounts.record('sign-in-failed', { user, detail: null }, { actor: null, address }).catch(() => {})
    return failed(address)
  }

  /** Counts a failure that the audit already has. */
  function failed(address: string): RefusedCredential {
    counts.failed++
    addresses.fail(address, now())
    return { refused: 'unknown' }
  }
}

/** Long names take no memory. */
const nameKey = (name: string): string => name.slice(0, 64)

const MINUTE = 60_000
const MOST_WINDOWS = 10_000

/** Counts failed attempts by key, such as an address, in windows of a minute. */
function countAttempts(most: number) {
  const windows = new Map<string, { readonly until: number; failures: number }>()
  return {
    /** The seconds until a key may try again; undefined if it may now. */
    wait(key: string, now: number): number | undefined {
      const window = windows.get(key)
      if (window === undefined || window.until <= now || window.failures < most) return undefined
      return Math.ceil((window.until - now) / 1000)
    },
    fail(key: string, now: number): void {
      const window = windows.get(key)
      if (window !== undefined && window.until > now) {
        window.failures++
        return
      }
      windows.delete(key)
      // Evict the oldest. An attacker with this many addresses is still limited by the queue for hashing.
      if (windows.size >= MOST_WINDOWS) windows.delete(windows.keys().next().value ?? '')
      windows.set(key, { until: now + MINUTE, failures: 1 })
    },
  }
}
