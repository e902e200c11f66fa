import type { ScreenRequest } from '../../http/contract/endpoint.ts'
import { BY_VALUE } from '../../http/contract/route.ts'
import { alternatesOf } from '../../http/negotiate/alternates.ts'
import { readerOf, themeOf } from '../../http/negotiate/reader.ts'
import type { Reader } from '../../languages/reader.ts'
import type { WritingContext } from '../../representations/markup/writing-context.ts'
import type { Representation } from '../../representations/representation.ts'
import { avatarMarkup, personName } from '../parts/person.ts'
import { iconPath, manifestPath, plainIcon, scriptPath, stylePath, touchIconPath } from './assets.ts'
import type { PlacesFor } from './navigation.ts'

/** Page context, computed lazily because only HTML uses it. */
export class Surroundings implements WritingContext {
  readonly #asked: ScreenRequest
  readonly #places: PlacesFor
  readonly #written: Representation | undefined
  #reader: Reader | undefined
  constructor(asked: ScreenRequest, places: PlacesFor, written: Representation | undefined) {
    this.#asked = asked
    this.#places = places
    this.#written = written
  }
  get reader() {
    this.#reader ??= readerOf(this.#asked.request, this.#asked.service)
    return this.#reader
  }
  get theme() {
    return themeOf(this.#asked.request)
  }
  get alternates() {
    if (this.#written === undefined) return []
    const { path, query, offer, service, request } = this.#asked
    const takesSuffix = request.routeOptions.url?.includes(BY_VALUE) !== true
    return alternatesOf({ path, query, takesSuffix }, offer.representations, this.#written, service.addresses.base)
  }
  get homeHref() {
    return this.#asked.service.addresses.home
  }
  get styleHref() {
    return this.#asked.service.addresses.base + stylePath
  }
  get iconHref() {
    return this.#isAdmitted ? this.#asked.service.addresses.base + iconPath : plainIcon
  }
  get touchIconHref() {
    return this.#isAdmitted ? this.#asked.service.addresses.base + touchIconPath : undefined
  }
  get manifestHref() {
    return this.#isAdmitted ? this.#asked.service.addresses.base + manifestPath : undefined
  }
  /** Assets besides the style sheet need the role reader. */
  get #isAdmitted(): boolean {
    return this.#asked.request.admitted === true
  }
  get scriptHref() {
    const { service, schema, request } = this.#asked
    // It needs the role reader.
    return request.admitted ? service.addresses.base + scriptPath(schema, this.reader.language) : undefined
  }
  get eventsHref() {
    return this.#asked.request.admitted ? this.#asked.service.addresses.events : undefined
  }
  get actor() {
    const { actor } = this.#asked.request
    return actor === null ? undefined : personName(actor)(this.reader)
  }
  get actorMark() {
    const { actor } = this.#asked.request
    return actor === null ? undefined : avatarMarkup(actor)
  }
  get profileHref() {
    const { request, service } = this.#asked
    const user = request.caller?.user ?? undefined
    return user === undefined ? undefined : service.addresses.user(user)
  }
  get signOutHref() {
    const { request, service } = this.#asked
    return request.caller?.session ? service.addresses.signOut : undefined
  }
  get notice() {
    return this.#asked.notice
  }
  get people() {
    return this.#asked.service.roster.people
  }
  get navigation() {
    const { request, path, schema } = this.#asked
    const isUser = typeof request.caller?.user === 'string'
    const isDeveloper = this.reader.developer === true
    return this.#places(schema)(path, { isAdmitted: request.admitted, role: request.role, isUser, isDeveloper })
  }
  get searchHref() {
    const { request, service } = this.#asked
    return request.admitted ? service.addresses.search : undefined
  }
  get themeHref() {
    const { request, service } = this.#asked
    return request.admitted ? service.addresses.theme : undefined
  }
  get developerHref() {
    const { request, service } = this.#asked
    return request.admitted && this.profileHref === undefined ? service.addresses.developer : undefined
  }
  get back() {
    const { method, originalUrl } = this.#asked.request
    return method === 'GET' || method === 'HEAD' ? originalUrl : '/'
  }
}
