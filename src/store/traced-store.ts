import { AsyncLocalStorage } from 'node:async_hooks'
import type { Store } from './port/store.ts'

/** Measures a named part of what is done. */
export type Part = <T>(
  name: string,
  run: () => Promise<T>,
  attributes?: { readonly [name: string]: string },
) => Promise<T>

/** The store with each call measured. */
export function tracedStore(store: Store, system: string, part: Part): Store {
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
  return {
    ...traced(store, 'store', ['stream', 'close']),
    // What a listener does is no part of the request whose event it hears of.
    onEvents: (listener) => store.onEvents(AsyncLocalStorage.bind(listener)),
    accounts: traced(store.accounts, 'store.accounts'),
    webhooks: traced(store.webhooks, 'store.webhooks'),
    imports: traced(store.imports, 'store.imports'),
    trimmed: traced(store.trimmed, 'store.trimmed'),
  }
}
