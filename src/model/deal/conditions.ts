import type { Markings } from './deal.ts'

/** A rule that a deal meets or not, and the sentence that says why not. */
export interface Condition {
  readonly meets: (deal: Markings, now: string) => boolean
  readonly otherwise: (deal: Markings) => string
}

export const open: Condition = {
  meets: (deal) => deal.status === 'open',
  otherwise: (deal) => `the deal is ${deal.status}`,
}

export const finished: Condition = {
  meets: (deal) => deal.status !== 'open',
  otherwise: () => 'the deal is still open',
}

export const held: Condition = {
  meets: (deal) => deal.held,
  otherwise: () => 'the deal is not held',
}

export const notHeld: Condition = {
  meets: (deal) => !deal.held,
  otherwise: () => 'the deal is held',
}

export const archived: Condition = {
  meets: (deal) => deal.archived,
  otherwise: () => 'the deal is not archived',
}

export const notArchived: Condition = {
  meets: (deal) => !deal.archived,
  otherwise: () => 'the deal is archived',
}

export const owing: Condition = {
  meets: (deal) => deal.amercement > 0,
  otherwise: () => 'the deal has no amercement',
}

export const deleted: Condition = {
  meets: (deal) => deal.deletedAt !== null,
  otherwise: () => 'the deal is not deleted',
}

export const DAYS_TO_RESTORE = 30

export const recentlyDeleted: Condition = {
  meets: (deal, now) => deal.deletedAt !== null && Date.parse(now) <= restorableUntil(deal.deletedAt),
  otherwise: () => `the deal was deleted more than ${DAYS_TO_RESTORE} days ago`,
}

const restorableUntil = (deletedAt: string): number => Date.parse(deletedAt) + DAYS_TO_RESTORE * 86_400_000
