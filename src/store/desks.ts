import type { Command } from '../model/perform/intent.ts'
import { type Claimant, isOneOf, maySee } from '../model/perform/privacy.ts'
import type { Key, Resource } from '../model/resource.ts'
import type { Relation } from '../model/resources.ts'
import type { CollectionName } from '../queries/collection.ts'
import { collectionNamed } from '../queries/collections.ts'
import type { Filter, Query } from '../queries/query.ts'
import { visibleTo } from '../queries/visibility.ts'
import {
  type Changes,
  type Desk,
  type Moment,
  type Page,
  type Past,
  SERVICE,
  type SearchOptions,
  type Stored,
  type StoredEvent,
  type TextPage,
} from './port/desk.ts'
import type { Store } from './port/store.ts'

/** The reads of a driver, which do not know for whom they are. */
export type StoreReads = Omit<Desk, 'caller' | 'shared' | 'changes'>

/** What a driver makes of a database. */
export interface Driver extends Omit<Store, 'as' | keyof StoreReads> {
  readonly reads: StoreReads
}

/** The store of a driver: it is read at desks alone. */
export function storeOf({ reads, ...rest }: Driver): Store {
  const shared = deskOf({ reads, changes: rest }, ANYBODY)
  const place: Place = { reads, changes: rest, shared }
  const service = deskOf(place, SERVICE)
  return { ...rest, ...reads, as: (caller) => (caller === SERVICE ? service : deskOf(place, caller)) }
}

/** Sees what everybody sees. No user has an empty name. */
const ANYBODY: Claimant = { name: '', isAdmin: false }

/** What the desks of a store have in common. */
interface Place extends Pick<Desk, 'changes'> {
  readonly reads: StoreReads
  /** Absent for the shared desk itself. */
  readonly shared?: Desk
}

export const deskOf = (place: Place, caller: Claimant | undefined): Desk => new CallerDesk(place, caller)

/** Adds to a driver's reads what the caller may see. A class, since each request has one: its methods are made once. */
class CallerDesk implements Desk {
  readonly caller: Claimant | undefined
  readonly #place: Place

  constructor(place: Place, caller: Claimant | undefined) {
    this.#place = place
    this.caller = caller
  }

  get shared(): Desk {
    return this.#place.shared ?? this
  }

  get changes(): Changes {
    return this.#place.changes
  }

  async find<S extends Stored = Stored>(resource: Resource, id: Key): Promise<S | undefined> {
    const thing = await this.#place.reads.find<S>(resource, id)
    return thing !== undefined && maySee(resource, thing, this.caller) ? thing : undefined
  }

  async command(id: string): Promise<Command | undefined> {
    const command = await this.#place.reads.command(id)
    return command !== undefined && isOneOf(command.privateTo, this.caller) ? command : undefined
  }

  /** Whoever sees a thing sees all of its history. Of one that is gone, an event is seen as the state that it left. */
  async event(resource: Resource, subject: Key, revision: number): Promise<StoredEvent | undefined> {
    const { reads } = this.#place
    const event = await reads.event(resource, subject, revision)
    if (event === undefined || resource.privacy === undefined) return event
    const thing = (await reads.find(resource, subject)) ?? (JSON.parse(event.doc) as object)
    return maySee(resource, thing, this.caller) ? event : undefined
  }

  async past(resource: Resource, id: Key, moment: Moment): Promise<Past> {
    const past = await this.#place.reads.past(resource, id, moment)
    return 'present' in past && !maySee(resource, past.present, this.caller) ? { missing: 'thing' } : past
  }

  page(name: CollectionName, scope: Filter, query: Query, options?: SearchOptions): Promise<Page> {
    return this.#place.reads.page(name, this.#within(name, scope), query, options)
  }

  textPage(name: CollectionName, scope: Filter, query: Query, options?: SearchOptions): Promise<TextPage> {
    return this.#place.reads.textPage(name, this.#within(name, scope), query, options)
  }

  stream(name: CollectionName, scope: Filter, query: Query, options?: SearchOptions): AsyncIterable<Uint8Array> {
    return this.#place.reads.stream(name, this.#within(name, scope), query, options)
  }

  async related(
    relation: Relation,
    keys: readonly Key[],
    most: number,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = await this.#place.reads.related(relation, keys, most)
    if (relation.of.privacy === undefined) return found
    const isSeen = (json: string): boolean => maySee(relation.of, JSON.parse(json) as object, this.caller)
    return new Map([...found].map(([key, things]) => [key, things.filter(isSeen)]))
  }

  customerNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.#place.reads.customerNames(ids)
  }

  unsearchable(filter: Filter): ReturnType<Desk['unsearchable']> {
    return this.#place.reads.unsearchable(filter)
  }

  get trimmed(): Desk['trimmed'] {
    return this.#place.reads.trimmed
  }

  #within(name: CollectionName, scope: Filter): Filter {
    const visible = visibleTo(this.caller, collectionNamed(name))
    return visible.length === 0 ? scope : [...scope, ...visible]
  }
}
