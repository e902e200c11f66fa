import type { DomainEvent } from '../../model/declaration/event.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Command } from '../../model/intent/intent.ts'
import type { Customer } from '../../model/nouns/customer/customer.ts'
import type { Deal } from '../../model/nouns/deal/deal.ts'
import type { Task } from '../../model/nouns/task/task.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { readDocument } from '../../representations/read-document.ts'
import type { ExactNumber } from '../../values/json/exact-numbers.ts'
import { parseExact } from '../../values/json/exact-numbers.ts'
import { flattened } from '../../values/json/own.ts'
import { memoize } from '../../values/memoize.ts'

// Things in the shape of their documents: amounts are decimals, kept as text if a double would not be exact.

export type Amount = number | ExactNumber

type WithAmounts<T, Amounts extends keyof T = never> = { readonly [F in keyof T]: F extends Amounts ? Amount : T[F] }

export type ShownDeal = WithAmounts<Deal, 'price' | 'amercement' | 'paid'>
export type ShownCustomer = WithAmounts<Customer>

/** An entry of a deal's history. */
export interface ShownEntry extends Pick<DomainEvent, 'actor' | 'key' | 'at' | 'form'> {
  readonly operation: string
  readonly params: { readonly [name: string]: unknown }
  readonly revision: number
  readonly commandId?: string
  /** The name of its customer, once it is read. */
  readonly customer?: string
}

/** An entry, and the resulting thing. */
export interface ShownActivity extends ShownEntry {
  readonly resource: Resource
  readonly thing: {
    readonly id?: string | number
    readonly name?: string
    readonly title?: string
    readonly currency?: string
  }
  /** Whether the thing is gone, and with it its page. */
  readonly isGone?: boolean
  /** The import that was undone. */
  readonly import?: { readonly id: string }
}

export type ShownCommand = Omit<Command, 'refusal' | 'resource'> & { readonly resource: Resource }

export type FieldsOfThing = { readonly [name: string]: unknown }

/** A thing of any resource. */
export type SeenThing = Thing & FieldsOfThing

// Memoized: pages show the same things repeatedly, and parsing fifty costs as much as writing their table.
export const readThing = memoize((json) => flattened(readDocument(json) as unknown as SeenThing), 1000, 2000)

export const readDeal = (json: string): ShownDeal => readThing(json) as unknown as ShownDeal
export const readCustomer = (json: string): ShownCustomer => readThing(json) as unknown as ShownCustomer
export const readTask = (json: string): Task => readThing(json) as unknown as Task

/** A command has its thing under the name of its resource. */
export function readCommand(json: string, schema: Schema): ShownCommand {
  const command = parseExact(json) as ShownCommand & { readonly [resource: string]: unknown }
  const resource = resourceIn(command, schema)
  return { ...command, resource, subject: command[resource.name] as ShownCommand['subject'] }
}

const resourceIn = (members: object, schema: Schema): Resource =>
  schema.resources.find(({ name }) => Object.hasOwn(members, name)) ?? resourceNamed(schema, 'deal')

export const readEntry = (json: string): ShownEntry => readDocument(json) as unknown as ShownEntry

interface FeedEvent {
  readonly time: string
  readonly data: Omit<ShownActivity, 'at' | 'resource' | 'thing'> & { readonly [resource: string]: unknown }
}

/** Reads an event of the feed. */
export function readActivity(json: string, schema: Schema): ShownActivity {
  const { time, data } = readDocument(json) as unknown as FeedEvent
  // An import is about customers, and has its counts instead; one that was undone is about no single thing.
  const isImport = 'counts' in data
  const resource = isImport ? resourceNamed(schema, 'customer') : resourceIn(data, schema)
  const thing = ((isImport ? data.counts : data[resource.name]) ?? {}) as ShownActivity['thing']
  return { ...data, at: time, resource, thing: thing.title === undefined ? thing : { ...thing, name: thing.title } }
}
