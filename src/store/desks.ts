import { bySchema } from '../model/declaration/by-schema.ts'
import type { Key } from '../model/declaration/resource.ts'
import type { Resource, Schema } from '../model/declaration/schema.ts'
import { isOneOf } from '../model/intent/caller.ts'
import type { Collection } from '../queries/collection.ts'
import { collectionOf } from '../queries/collections.ts'
import { matches, readThing } from '../queries/matches.ts'
import type { Filter } from '../queries/query.ts'
import { visibleTo } from '../queries/visibility.ts'
import type { Caller } from '../values/role.ts'
import { type Desk, type Past, SERVICE, type Stored, type StoredEvent } from './port/desk.ts'
import type { Store } from './port/store.ts'

/** The reads of a driver, which do not know their caller. */
export type StoreReads = Omit<Desk, 'caller' | 'schema' | 'shared' | 'changes'>

/** A driver's view of a database. */
export interface StoreDriver extends Omit<Store, 'as'> {
  readonly reads: StoreReads
}

/** The store of a driver. The service itself sees everything, a caller only what they may see. */
export function storeOf({ reads, ...rest }: StoreDriver): Store {
  /** Kept by schema: readers with the same schema share what the common desk reads. */
  const serviceBy = bySchema((schema: Schema): Desk => {
    const service: Desk = {
      ...reads,
      schema,
      caller: SERVICE,
      changes: rest,
      get shared() {
        return shared
      },
    }
    const shared = new CallerDesk(service, ANYBODY)
    return service
  })
  return {
    ...rest,
    as(caller) {
      const service = serviceBy(rest.schemas.current)
      return caller === SERVICE ? service : new CallerDesk(service, caller)
    },
  }
}

/** Sees what everybody sees. No user has an empty name. */
const ANYBODY: Caller = { name: '', role: 'reader' }

/** A class, because each request creates one and its methods are shared. */
class CallerDesk implements Desk {
  readonly caller: Caller
  readonly schema: Schema
  readonly #all: Desk
  readonly changes: Desk['changes']
  readonly trimmed: Desk['trimmed']
  readonly unsearchable: Desk['unsearchable']
  readonly lastNoted: Desk['lastNoted']

  constructor(all: Desk, caller: Caller) {
    this.caller = caller
    this.schema = all.schema
    this.#all = all
    this.changes = all.changes
    this.trimmed = all.trimmed
    this.unsearchable = all.unsearchable
    this.lastNoted = all.lastNoted
  }

  get shared(): Desk {
    return this.#all.shared
  }

  async find<S extends Stored = Stored>(resource: Resource, id: Key): Promise<S | undefined> {
    const thing = await this.#all.find<S>(resource, id)
    return thing !== undefined && this.#sees(resource, thing.json) ? thing : undefined
  }

  async idBy(resource: Resource, field: string, value: unknown): Promise<Key | undefined> {
    const id = await this.#all.idBy(resource, field, value)
    return id === undefined || resource.privacy === undefined ? id : (await this.find(resource, id))?.id
  }

  async command(id: string): ReturnType<Desk['command']> {
    const command = await this.#all.command(id)
    return command !== undefined && isOneOf(command.privateTo, this.caller) ? command : undefined
  }

  /** A caller who sees a thing sees all of its history. For a removed thing, the event's own state decides. */
  async event(resource: Resource, subject: Key, revision: number): Promise<StoredEvent | undefined> {
    const event = await this.#all.event(resource, subject, revision)
    if (event === undefined || resource.privacy === undefined) return event
    const thing = await this.#all.find(resource, subject)
    return this.#sees(resource, thing?.json ?? event.doc) ? event : undefined
  }

  async past(...[resource, ...asked]: Parameters<Desk['past']>): Promise<Past> {
    const past = await this.#all.past(resource, ...asked)
    return 'present' in past && !this.#sees(resource, past.present.json) ? { missing: 'thing' } : past
  }

  page(...[collection, scope, ...asked]: Parameters<Desk['page']>): ReturnType<Desk['page']> {
    return this.#all.page(collection, this.#within(collection, scope), ...asked)
  }

  textPage(...[collection, scope, ...asked]: Parameters<Desk['textPage']>): ReturnType<Desk['textPage']> {
    return this.#all.textPage(collection, this.#within(collection, scope), ...asked)
  }

  stream(...[collection, scope, ...asked]: Parameters<Desk['stream']>): ReturnType<Desk['stream']> {
    return this.#all.stream(collection, this.#within(collection, scope), ...asked)
  }

  async related(...[relation, ...asked]: Parameters<Desk['related']>): ReturnType<Desk['related']> {
    const found = await this.#all.related(relation, ...asked)
    if (relation.of.privacy === undefined) return found
    const isSeen = (json: string): boolean => this.#sees(relation.of, json)
    return new Map([...found].map(([key, things]) => [key, things.filter(isSeen)]))
  }

  /** Whether a list would contain a thing. */
  #sees(resource: Resource, json: string): boolean {
    if (resource.privacy === undefined) return true
    const collection = collectionOf(resource)
    return matches(visibleTo(this.caller, collection), readThing(collection, json))
  }

  #within(collection: Collection, scope: Filter): Filter {
    const visible = visibleTo(this.caller, collection)
    return visible.length === 0 ? scope : [...scope, ...visible]
  }
}
