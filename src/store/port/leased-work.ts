/**
 * Work that the store leases to this instance, so that several instances share it: an instance that ends loses it to the
 * others. Each piece belongs to a subscription, which has a place of its own in the feed.
 */
export interface LeasedWork<Claim, Result> {
  /** Settles what was claimed without claiming more. */
  settle(results: readonly Result[]): Promise<void>
  /**
   * Renews leases for so many milliseconds from now on, and frees the claims of owners that have ended. Where the clock
   * went back, waits are counted from now.
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
  /** Subscriptions that may have no more than so many together. */
  readonly together?: { readonly subscriptions: readonly string[]; readonly most: number }
  /** The subscription after which to begin, so that each gets its turn. */
  readonly behind: string
}
