import { AsyncLocalStorage } from 'node:async_hooks'
import { storeOf } from './desks.ts'
import { SERVICE } from './port/desk.ts'
import type { Store } from './port/store.ts'

/** Measures a named part of the work. */
export type Part = <T>(
  name: string,
  run: () => Promise<T>,
  attributes?: { readonly [name: string]: string },
) => Promise<T>

/** The store with each call measured. */
export function tracedStore({ as, ...store }: Store, system: string, part: Part): Store {
  const attributes = { 'db.system.name': system }
  const traced = <T extends object>(methods: T, prefix: string, left: readonly string[] = []): T =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        typeof method !== 'function' || left.includes(name)
          ? method
          : (...args: unknown[]) => part(`${prefix}.${name}`, () => method(...args), attributes),
      ]),
    ) as T
  const { caller: _caller, schema: _schema, changes: _changes, shared: _shared, trimmed, ...reads } = as(SERVICE)
  return storeOf({
    ...traced(store, 'store', ['close']),
    reads: { ...traced(reads, 'store', ['stream']), trimmed: traced(trimmed, 'store.trimmed') },
    // A listener's work is not part of the request that wrote the event.
    onEvents: (listener) => store.onEvents(AsyncLocalStorage.bind(listener)),
    accounts: traced(store.accounts, 'store.accounts'),
    webhooks: traced(store.webhooks, 'store.webhooks'),
    imports: traced(store.imports, 'store.imports'),
  })
}
