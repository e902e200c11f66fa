import type { Settings } from '../../config.ts'
import { type CustomerChunk, chunkBuilder, type GivenCustomer } from '../../model/customer/chunk.ts'
import { customer } from '../../model/customer/customer.ts'
import { openMaintenance } from '../../store/open.ts'
import type { Importing } from './importing.ts'
import { customerLayout } from './layouts.ts'

/** How many rows the store takes at a time: beside a running service this is a transaction of about a quarter second. */
const CHUNK = 10_000

/** Customers have no rules between rows and states: whole chunks are written past the operations. decisions/0016 */
export function customerImport(settings: Settings): Importing<CustomerChunk> {
  const chunk = chunkBuilder(CHUNK)
  return {
    things: customer.plural,
    layout: customerLayout,
    gathering: {
      add(values) {
        chunk.add(values as unknown as GivenCustomer)
        return chunk.rows() === CHUNK ? chunk.take() : undefined
      },
      rest: () => (chunk.rows() > 0 ? chunk.take() : undefined),
    },
    rowsIn: ({ rows }) => rows,
    async open() {
      const maintenance = await openMaintenance(settings, { mustExist: false })
      return {
        opening: maintenance.opening,
        write: (chunks, expected) => maintenance.importCustomers(chunks, expected),
        close: async () => {},
      }
    },
  }
}
