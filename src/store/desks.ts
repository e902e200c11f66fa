import { bySchema } from '../model/declaration/by-schema.ts'
import type { Key } from '../model/declaration/resource.ts'
import type { Resource, Schema } from '../model/declaration/schema.ts'
import { isOneOf } from '../model/intent/caller.ts'
import { callerNow, isGranted } from '../model/intent/grants.ts'
import { type Collection, fieldOf } from '../queries/collection.ts'
import { collectionOf } from '../queries/collections.ts'
import { matches, readThing } from '../queries/matches.ts'
import { parseQuery } from '../queries/parse/parse-query.ts'
import { type Filter, isTerm, type Query, type Term } from '../queries/query.ts'
import { seenThrough, visibleTo } from '../queries/visibility.ts'
import { type Caller, ownRoles } from '../values/role.ts'
import { isJudged, type Judged, judgedLines, judgedPage, toldThing } from './judged-pages.ts'
import { type Desk, type Past, SERVICE, type Stored, type StoredEvent } from './port/desk.ts'
import type { Store } from './port/store.ts'

/** The reads of a driver, which do not know their caller. */
export type StoreReads = Omit<Desk, 'caller' | 'schema' | 'shared' | 'changes' | 'tells' | 'sees' | 'visible'>

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
      tells: async () => true,
      sees: () => true,
      visible: () => [],
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
  /** Whether grants decide what the caller sees. */
  readonly #isLimited: boolean
  readonly changes: Desk['changes']
  readonly trimmed: Desk['trimmed']
  readonly unsearchable: Desk['unsearchable']

  constructor(all: Desk, caller: Caller) {
    this.schema = all.schema
    this.caller = callerNow(all.schema, caller)
    this.#all = all
    this.#isLimited = ownRoles(this.caller) !== undefined
    this.changes = all.changes
    this.trimmed = all.trimmed
    this.unsearchable = all.unsearchable
  }

  get shared(): Desk {
    return this.#isLimited ? this : this.#all.shared
  }

  async find<S extends Stored = Stored>(resource: Resource, id: Key): Promise<S | undefined> {
    const thing = await this.#all.find<S>(resource, id)
    return thing !== undefined && this.sees(resource, thing.json) ? thing : undefined
  }

  async idBy(resource: Resource, field: string, value: unknown): Promise<Key | undefined> {
    const id = await this.#all.idBy(resource, field, value)
    return id === undefined || !this.#hides(resource) ? id : (await this.find(resource, id))?.id
  }

  async command(id: string): ReturnType<Desk['command']> {
    const command = await this.#all.command(id)
    if (command === undefined || !isOneOf(command.privateTo, this.caller)) return undefined
    const resource = this.schema.byName.get(command.resource)
    const isSeen = !this.#isLimited || (resource && (await this.find(resource, command.subject))) !== undefined
    return isSeen ? command : undefined
  }

  /** A caller who sees a thing sees all of its history. For a removed private thing, the event's own state decides. */
  async event(resource: Resource, subject: Key, revision: number): Promise<StoredEvent | undefined> {
    const event = await this.#all.event(resource, subject, revision)
    if (event === undefined || !this.#hides(resource)) return event
    const thing = await this.#all.find(resource, subject)
    if (thing === undefined && this.#isLimited) return undefined
    return this.sees(resource, thing?.json ?? event.doc) ? event : undefined
  }

  async past(...[resource, ...asked]: Parameters<Desk['past']>): Promise<Past> {
    const past = await this.#all.past(resource, ...asked)
    return 'present' in past && !this.sees(resource, past.present.json) ? { missing: 'thing' } : past
  }

  async page(...[collection, scope, query, options]: Parameters<Desk['page']>): ReturnType<Desk['page']> {
    const judged = this.#judged(collection, scope)
    if (judged !== undefined) return judgedPage(collection, query, options, judged)
    return this.#all.page(collection, this.#within(collection, scope), this.#asSeen(collection, query), options)
  }

  async textPage(...[collection, scope, query, options]: Parameters<Desk['textPage']>): ReturnType<Desk['textPage']> {
    const judged = this.#judged(collection, scope)
    if (judged !== undefined) return judgedPage(collection, query, options, judged)
    return this.#all.textPage(collection, this.#within(collection, scope), this.#asSeen(collection, query), options)
  }

  stream(...[collection, scope, query, options]: Parameters<Desk['stream']>): ReturnType<Desk['stream']> {
    const judged = this.#judged(collection, scope)
    if (judged !== undefined) return judgedLines(query, options, judged)
    return this.#all.stream(collection, this.#within(collection, scope), this.#asSeen(collection, query), options)
  }

  async related(...[relation, keys, most]: Parameters<Desk['related']>): ReturnType<Desk['related']> {
    const { of, kind, field } = relation
    if (!this.#hides(of)) return this.#all.related(relation, keys, most)
    // The latest that are seen, not those that are seen of the latest.
    if (this.#isLimited && kind === 'many') return this.#referring(of, field, keys, most)
    const found = await this.#all.related(relation, keys, most)
    const isSeen = (json: string): boolean => this.sees(of, json)
    return new Map([...found].map(([key, things]) => [key, things.filter(isSeen)]))
  }

  /** A note on what is not seen says nothing: with grants nobody asks for others' notes. */
  async lastNoted(...asked: Parameters<Desk['lastNoted']>): ReturnType<Desk['lastNoted']> {
    return this.#isLimited ? new Map() : this.#all.lastNoted(...asked)
  }

  async tells(event: string): Promise<boolean> {
    return !this.#isLimited || this.#told()(event)
  }

  visible(collection: Collection): Filter {
    return visibleTo(this.caller, collection)
  }

  /** Whether a list would contain a thing. */
  sees(resource: Resource, json: string): boolean {
    if (!this.#hides(resource)) return true
    const collection = collectionOf(resource)
    return matches(visibleTo(this.caller, collection), readThing(collection, json))
  }

  #hides(resource: Resource): boolean {
    return resource.privacy !== undefined || (this.#isLimited && isGranted(resource))
  }

  #within(collection: Collection, scope: Filter): Filter {
    const visible = visibleTo(this.caller, collection)
    return visible.length === 0 ? scope : [...scope, ...visible]
  }

  #asSeen(collection: Collection, query: Query): Query {
    return this.#isLimited ? { ...query, filter: seenThrough(this.caller, collection, query.filter) } : query
  }

  /** How to read and judge the items of what tells of things; undefined if each list has what is seen of it. */
  #judged(collection: Collection, scope: Filter): Judged | undefined {
    if (!this.#isLimited || !isJudged(collection)) return undefined
    const read: Judged['read'] = (query, options) => this.#all.page(collection, scope, query, options)
    return { read, sees: collection.name === 'history' ? this.#historyOf(scope) : this.#told() }
  }

  /** The history of a thing is seen with it: its scope names the thing. */
  #historyOf(scope: Filter): Judged['sees'] {
    const about = scope.find((each): each is Term => isTerm(each) && this.schema.byName.has(each.field.name))
    const resource = about && this.schema.byName.get(about.field.name)
    const id = about?.values[0]
    const isSeen = resource === undefined || id == null ? undefined : this.find(resource, id as Key)
    return async () => (await isSeen) !== undefined
  }

  /** Of an event or a command: its thing is seen, after it and now. */
  #told(): Judged['sees'] {
    const known = new Map<string, Promise<Stored | undefined>>()
    return async (item) => {
      const about = toldThing(this.schema, item)
      if (about === undefined) return false
      const { resource, id, json } = about
      const name = `${resource.name} ${id}`
      const now = known.get(name) ?? this.find(resource, id)
      known.set(name, now)
      return (await now) !== undefined && (json === undefined || this.sees(resource, json))
    }
  }

  /** Those that refer to things and are seen, the latest first. */
  async #referring(
    of: Resource,
    field: string,
    keys: readonly Key[],
    most: number,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const collection = collectionOf(of)
    const parsed = parseQuery(collection, `sort=-${collection.key}&maxpagesize=${most}`)
    if ('faults' in parsed) throw new Error(`${of.plural} cannot be sorted`)
    const pages = keys.map(async (key) => {
      const refers: Term = { field: fieldOf(collection, field), operator: 'eq', values: [key] }
      const { items } = await this.page(collection, [refers], parsed.query, { onlyForward: true })
      return [String(key), items] as const
    })
    return new Map(await Promise.all(pages))
  }
}
