import { retryPauses } from '../model/webhook/schedule.ts'

/** How deliveries keep time, in milliseconds. */
export interface DeliveryPace {
  readonly pauses: readonly number[]
  readonly timeout: number
  /** How long a delivery is nobody else's: longer than any try takes. */
  readonly lease: number
  /** How often to look for what is due, besides when events come. */
  readonly poll: number
  readonly trimEvery: number
  /** How long what is finished stays readable. */
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
