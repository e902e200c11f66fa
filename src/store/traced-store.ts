import { AsyncLocalStorage } from 'node:async_hooks'
import { isObject } from '../values/json/is-object.ts'
import type { JsonTexts } from '../values/json/texts.ts'
import { storeOf } from './desks.ts'
import { SERVICE } from './port/desk.ts'
import type { Store } from './port/store.ts'

type Attributes = { readonly [name: string]: string | number }

/** Measures a named part of the work; `of` tells more of its result. */
export type Part = <T>(
  name: string,
  run: () => Promise<T>,
  attributes?: Attributes,
  of?: (result: T) => Attributes,
) => Promise<T>

/** The store with each call measured: of which collection, with how many rows, and how many waited when it began. */
export function tracedStore({ as, ...store }: Store, system: string, part: Part): Store {
  const attributes = { 'db.system.name': system }
  const waiting = (): number => store.searches.waiting + store.counts.waiting + (store.pool?.waiting ?? 0)
  const traced = <T extends object>(methods: T, prefix: string, left: readonly string[] = []): T =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        typeof method !== 'function' || left.includes(name)
          ? method
          : (...args: unknown[]) => {
              const about = { ...attributes, ...collectionOf(args[0]), 'dealdesk.waiting': waiting() }
              return part(`${prefix}.${name}`, () => method(...args), about, rowsOf)
            },
      ]),
    ) as T
  const { caller: _, schema: _schema, changes: _changes, shared: _shared, ...judging } = as(SERVICE)
  const { tells: _tells, sees: _sees, visible: _visible, trimmed, ...reads } = judging
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

/** A read names its collection or resource, or what it is related to; an intent, its resource. */
function collectionOf(asked: unknown): Attributes {
  if (!isObject(asked)) return {}
  const { name, of, intents, on } = asked
  const [intent] = Array.isArray(intents) ? intents : []
  const found = isObject(of) ? of.name : isObject(intent) ? intent.resource : (on ?? name)
  return typeof found === 'string' ? { 'db.collection.name': found } : {}
}

/** A single thing is a row. */
function rowsOf(result: unknown): Attributes {
  const { items = result } = Object(result) as { readonly items?: unknown }
  const { length, size = length ?? Number(items !== undefined) } = Object(items) as Partial<JsonTexts>
  return { 'db.response.returned_rows': length ?? size }
}
