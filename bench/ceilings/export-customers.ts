import type { ServerResponse } from 'node:http'
import type { CustomerPages } from './bare-customers.ts'

/** Writes all customers, no faster than they are read. */
export function exportCustomers(customers: CustomerPages, response: ServerResponse): void {
  let last = 0
  const proceed = (): void => {
    for (;;) {
      const batch = customers.batch(last)
      if (batch === undefined) return void response.end()
      last = batch.last
      if (!response.write(batch.lines)) return void response.once('drain', proceed)
    }
  }
  proceed()
}
