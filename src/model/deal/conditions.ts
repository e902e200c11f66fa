import type { Condition } from '../condition.ts'
import type { Markings } from './deal.ts'

type Rule = Condition<Markings>

export const open: Rule = {
  meets: (deal) => deal.status === 'open',
  reason: (deal) => `the deal is ${deal.status}`,
}

export const finished: Rule = {
  meets: (deal) => deal.status !== 'open',
  reason: () => 'the deal is still open',
}

export const held: Rule = {
  meets: (deal) => deal.held,
  reason: () => 'the deal is not held',
}

export const notHeld: Rule = {
  meets: (deal) => !deal.held,
  reason: () => 'the deal is held',
}

export const archived: Rule = {
  meets: (deal) => deal.archived,
  reason: () => 'the deal is not archived',
}

export const notArchived: Rule = {
  meets: (deal) => !deal.archived,
  reason: () => 'the deal is archived',
}

export const owing: Rule = {
  meets: (deal) => deal.amercement > 0,
  reason: () => 'the deal has no amercement',
}

export const deleted: Rule = {
  meets: (deal) => deal.deletedAt !== null,
  reason: () => 'the deal is not deleted',
}

export const DAYS_TO_RESTORE = 30

export const recentlyDeleted: Rule = {
  meets: (deal, now) => deal.deletedAt !== null && Date.parse(now) <= restorableUntil(deal.deletedAt),
  reason: () => `the deal was deleted more than ${DAYS_TO_RESTORE} days ago`,
}

const restorableUntil = (deletedAt: string): number => Date.parse(deletedAt) + DAYS_TO_RESTORE * 86_400_000
