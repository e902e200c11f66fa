import type { Store } from '../../port/store.ts'
import type { Faults } from './faults.ts'

/** Wraps the store: faults of the database are thrown as `StoreUnavailable`, as is every call once it is broken. */
export function tellFaults(store: Store, faults: Faults): Store {
  const rethrow = (cause: unknown): never => {
    throw faults.told(cause)
  }
  const telling =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      faults.broken === undefined ? method(...args).catch(rethrow) : Promise.reject(faults.broken)
  const all = <T extends object>(methods: T): T =>
    Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, telling(method)])) as T

  return {
    ...store,
    ...all({
      perform: store.perform,
      performTogether: store.performTogether,
      find: store.find,
      past: store.past,
      customerNames: store.customerNames,
      related: store.related,
      command: store.command,
      event: store.event,
      page: store.page,
      textPage: store.textPage,
      check: store.check,
    }),
    async *stream(...args) {
      if (faults.broken !== undefined) throw faults.broken
      try {
        yield* store.stream(...args)
      } catch (cause) {
        rethrow(cause)
      }
    },
    trimmed: all(store.trimmed),
    accounts: all(store.accounts),
    webhooks: all(store.webhooks),
    imports: all(store.imports),
  }
}
