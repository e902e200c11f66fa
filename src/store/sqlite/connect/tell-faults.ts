import type { StoreDriver } from '../../desks.ts'
import type { Faults } from './faults.ts'

/** Wraps the driver: faults of the database are thrown as `StoreUnavailable`, as is every call once it is broken. */
export function tellFaults(driver: StoreDriver, faults: Faults): StoreDriver {
  const rethrow = (cause: unknown): never => {
    throw faults.told(cause)
  }
  const telling =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      faults.broken === undefined ? method(...args).catch(rethrow) : Promise.reject(faults.broken)
  const all = <T extends object>(methods: T): T =>
    Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, telling(method)])) as T

  const { perform, check } = driver
  const { stream, trimmed, unsearchable, ...reads } = driver.reads
  return {
    ...driver,
    ...all({ perform, check }),
    reads: {
      ...all(reads),
      unsearchable,
      async *stream(...args) {
        if (faults.broken !== undefined) throw faults.broken
        try {
          yield* stream(...args)
        } catch (cause) {
          rethrow(cause)
        }
      },
      trimmed: all(trimmed),
    },
    accounts: all(driver.accounts),
    webhooks: all(driver.webhooks),
    imports: all(driver.imports),
  }
}
