import { type Claimant, isOneOf } from '../model/perform/privacy.ts'
import type { Key, Resource } from '../model/resource.ts'
import type { CollectionName } from '../queries/collection.ts'
import { collectionNamed } from '../queries/collections.ts'
import { matches, readThing } from '../queries/matches.ts'
import type { Filter } from '../queries/query.ts'
import { visibleTo } from '../queries/visibility.ts'
import { type Desk, type Past, SERVICE, type Stored, type StoredEvent } from './port/desk.ts'
import type { Store } from './port/store.ts'

/** The reads of a driver, which do not know for whom they are. */
export type StoreReads = Omit<Desk, 'caller' | 'shared' | 'changes'>

/** What a driver makes of a database. */
export interface StoreDriver extends Omit<Store, 'as'> {
  readonly reads: StoreReads
}

/** The store of a driver. The service itself sees everything, others that within what they may see. */
export function storeOf({ reads, ...rest }: StoreDriver): Store {
  const service: Desk = {
    ...reads,
    caller: SERVICE,
    changes: rest,
    get shared() {
      return shared
    },
  }
  const shared = new CallerDesk(service, ANYBODY)
  return { ...rest, as: (caller) => (caller === SERVICE ? service : new CallerDesk(service, caller)) }
}

/** Sees what everybody sees. No user has an empty name. */
const ANYBODY: Claimant = { name: '', isAdmin: false }

/** A class, since each request has one: its methods are made once. */
class CallerDesk implements Desk {
  readonly caller: Claimant
  readonly #all: Desk
  readonly changes: Desk['changes']
  readonly trimmed: Desk['trimmed']
  readonly customerNames: Desk['customerNames']
  readonly unsearchable: Desk['unsearchable']

  constructor(all: Desk, caller: Claimant) {
    this.caller = caller
    this.#all = all
    this.changes = all.changes
    this.trimmed = all.trimmed
    this.customerNames = all.customerNames
    this.unsearchable = all.unsearchable
  }

  get shared(): Desk {
    return this.#all.shared
  }

  async find<S extends Stored = Stored>(resource: Resource, id: Key): Promise<S | undefined> {
    const thing = await this.#all.find<S>(resource, id)
    return thing !== undefined && this.#sees(resource, thing.json) ? thing : undefined
  }

  async command(id: string): ReturnType<Desk['command']> {
    const command = await this.#all.command(id)
    return command !== undefined && isOneOf(command.privateTo, this.caller) ? command : undefined
  }

  /** Whoever sees a thing sees all of its history. Of one that is gone, an event is seen as the state that it left. */
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

  page(...[name, scope, ...asked]: Parameters<Desk['page']>): ReturnType<Desk['page']> {
    return this.#all.page(name, this.#within(name, scope), ...asked)
  }

  textPage(...[name, scope, ...asked]: Parameters<Desk['textPage']>): ReturnType<Desk['textPage']> {
    return this.#all.textPage(name, this.#within(name, scope), ...asked)
  }

  stream(...[name, scope, ...asked]: Parameters<Desk['stream']>): ReturnType<Desk['stream']> {
    return this.#all.stream(name, this.#within(name, scope), ...asked)
  }

  async related(...[relation, ...asked]: Parameters<Desk['related']>): ReturnType<Desk['related']> {
    const found = await this.#all.related(relation, ...asked)
    if (relation.of.privacy === undefined) return found
    const isSeen = (json: string): boolean => this.#sees(relation.of, json)
    return new Map([...found].map(([key, things]) => [key, things.filter(isSeen)]))
  }

  /** Whether a list would have a thing. */
  #sees({ privacy, plural }: Resource, json: string): boolean {
    if (privacy === undefined) return true
    const collection = collectionNamed(plural)
    return matches(visibleTo(this.caller, collection), readThing(collection, json))
  }

  #within(name: CollectionName, scope: Filter): Filter {
    const visible = visibleTo(this.caller, collectionNamed(name))
    return visible.length === 0 ? scope : [...scope, ...visible]
  }
}
