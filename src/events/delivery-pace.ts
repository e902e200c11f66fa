import { retryPauses } from '../model/webhook/schedule.ts'

/** The timing of deliveries, in milliseconds. */
export interface DeliveryPace {
  readonly pauses: readonly number[]
  readonly timeout: number
  /** The length of a lease: longer than any attempt takes. */
  readonly lease: number
  /** The pause between two checks for due deliveries, besides those that new events cause. */
  readonly poll: number
  readonly trimEvery: number
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
