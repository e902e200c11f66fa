import type { Rule } from '../rule.ts'
import type { Markings } from './deal.ts'

type DealRule = Rule<Markings>

export const open: DealRule = {
  meets: (deal) => deal.status === 'open',
  reason: (deal) => `the deal is ${deal.status}`,
}

export const finished: DealRule = {
  meets: (deal) => deal.status !== 'open',
  reason: () => 'the deal is still open',
}

export const held: DealRule = {
  meets: (deal) => deal.held,
  reason: () => 'the deal is not held',
}

export const notHeld: DealRule = {
  meets: (deal) => !deal.held,
  reason: () => 'the deal is held',
}

export const archived: DealRule = {
  meets: (deal) => deal.archived,
  reason: () => 'the deal is not archived',
}

export const notArchived: DealRule = {
  meets: (deal) => !deal.archived,
  reason: () => 'the deal is archived',
}

export const owing: DealRule = {
  meets: (deal) => deal.amercement > 0,
  reason: () => 'the deal has no amercement',
}

export const deleted: DealRule = {
  meets: (deal) => deal.deletedAt !== null,
  reason: () => 'the deal is not deleted',
}

export const DAYS_TO_RESTORE = 30

export const recentlyDeleted: DealRule = {
  meets: (deal, now) => deal.deletedAt !== null && Date.parse(now) <= restorableUntil(deal.deletedAt),
  reason: () => `the deal was deleted more than ${DAYS_TO_RESTORE} days ago`,
}

const restorableUntil = (deletedAt: string): number => Date.parse(deletedAt) + DAYS_TO_RESTORE * 86_400_000
