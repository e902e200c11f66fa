/**
 * Work that the store leases to this instance, so that several instances share it: if an instance ends, the others take
 * over its work. Each piece belongs to a subscription, which has its own position in the feed.
 */
export interface LeasedWork<Claim, Result> {
  /** Settles claimed work without claiming more. */
  settle(results: readonly Result[]): Promise<void>
  /**
   * Renews leases for a number of milliseconds from now on, and frees the claims of owners that have ended. If the
   * clock went back, waits are counted from now.
   */
  renew(held: readonly Claim[], lease: number): Promise<void>
  /** Releases the claims that were not settled. */
  release(): Promise<void>
}

export interface ClaimRequest {
  /** The length of the lease in milliseconds. */
  readonly lease: number
  readonly most: number
  /** The most for each subscription, except for those listed. */
  readonly ofEach: number
  readonly of: { readonly [subscription: string]: number }
  /** Subscriptions that together may have at most this many. */
  readonly together?: { readonly subscriptions: readonly string[]; readonly most: number }
  /** The subscription after which to begin, so that each gets its turn. */
  readonly behind: string
}
