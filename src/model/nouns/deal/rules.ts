import type { Rule } from '../../declaration/operation.ts'
import type { Markings } from './deal.ts'

type DealRule = Rule<Markings>

export const open: DealRule = {
  meets: (deal) => deal.status === 'open',
  reason: (deal) => ({ code: 'deal-finished', with: { status: deal.status } }),
}

export const finished: DealRule = {
  meets: (deal) => deal.status !== 'open',
  reason: () => ({ code: 'deal-open' }),
}

export const held: DealRule = {
  meets: (deal) => deal.held,
  reason: () => ({ code: 'deal-not-held' }),
}

export const notHeld: DealRule = {
  meets: (deal) => !deal.held,
  reason: () => ({ code: 'deal-held' }),
}

export const archived: DealRule = {
  meets: (deal) => deal.archived,
  reason: () => ({ code: 'deal-not-archived' }),
}

export const notArchived: DealRule = {
  meets: (deal) => !deal.archived,
  reason: () => ({ code: 'deal-archived' }),
}

export const owing: DealRule = {
  meets: (deal) => deal.amercement > 0,
  reason: () => ({ code: 'deal-without-amercement' }),
}

export const deleted: DealRule = {
  meets: (deal) => deal.deletedAt !== null,
  reason: () => ({ code: 'deal-not-deleted' }),
}

export const DAYS_TO_RESTORE = 30

export const recentlyDeleted: DealRule = {
  meets: (deal, now) => deal.deletedAt !== null && Date.parse(now) <= restorableUntil(deal.deletedAt),
  reason: () => ({ code: 'deal-deleted-long-ago', with: { days: DAYS_TO_RESTORE } }),
}

const restorableUntil = (deletedAt: string): number => Date.parse(deletedAt) + DAYS_TO_RESTORE * 86_400_000
