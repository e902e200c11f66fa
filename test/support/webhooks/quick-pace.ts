import { type DeliveryPace, deliveryPace } from '../../../src/events/delivery-pace.ts'

/** As the real one, many times as fast. */
export const quickPace: DeliveryPace = {
  ...deliveryPace,
  pauses: deliveryPace.pauses.slice(0, 4).map((pause) => Math.min(pause / 50, 200)),
  // Nothing that is answered fails, however busy the machine is.
  timeout: 60_000,
  lease: 120_000,
  poll: 20,
}
