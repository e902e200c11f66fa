import { type DeliveryPace, deliveryPace } from '../../../src/events/delivery-pace.ts'

/** As the real one, many times as fast. */
export const quickPace: DeliveryPace = {
  ...deliveryPace,
  pauses: deliveryPace.pauses.slice(0, 4).map((pause) => Math.min(pause / 50, 200)),
  // Long enough for a machine that is busy with other things.
  timeout: 1500,
  lease: 3000,
  poll: 20,
}
