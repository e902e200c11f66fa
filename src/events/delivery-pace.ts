import { retryPauses } from '../model/nouns/webhook/schedule.ts'
import type { WorkSchedule } from '../work/leased-follower.ts'

/** The timing of deliveries, in milliseconds. */
export interface DeliveryPace extends WorkSchedule {
  readonly pauses: readonly number[]
  /** How long finished deliveries stay readable. */
  readonly keep: number
}

const DAY = 86_400_000

export const deliveryPace: DeliveryPace = {
  pauses: retryPauses,
  timeout: 15_000,
  lease: 30_000,
  poll: 500,
  trimEvery: 600_000,
  keep: 7 * DAY,
}
