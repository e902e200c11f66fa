import type { Desk } from '../../../src/store/port/desk.ts'

/** A desk of which some reads are others than its own. */
export const watchedDesk = (desk: Desk, reads: Partial<Desk>): Desk =>
  new Proxy(desk, {
    get(own, name) {
      const read: unknown = Reflect.get(reads, name) ?? Reflect.get(own, name)
      return typeof read === 'function' ? read.bind(own) : read
    },
  })
