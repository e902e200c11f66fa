import { alternatesOf } from '../../http/negotiate/alternates.ts'
import type { Chosen } from '../../http/negotiate/negotiation.ts'
import type { Outgoing } from '../../http/negotiate/outgoing.ts'
import { readerOf, themeOf } from '../../http/negotiate/reader.ts'
import type { Reader } from '../../languages/reader.ts'
import type { WritingContext } from '../../representations/html/writing-context.ts'
import { noticeMarkup } from '../notices/view.ts'
import { scriptPath, stylePath } from './assets.ts'

/** Page context, computed lazily because only HTML uses it. */
export class Surroundings implements WritingContext {
  readonly #outgoing: Outgoing
  readonly #chosen: Chosen | undefined
  #reader: Reader | undefined
  constructor(outgoing: Outgoing, chosen?: Chosen) {
    this.#outgoing = outgoing
    this.#chosen = chosen
  }
  get reader() {
    this.#reader ??= readerOf(this.#outgoing.request, this.#outgoing.service)
    return this.#reader
  }
  get theme() {
    return themeOf(this.#outgoing.request)
  }
  get alternates() {
    if (this.#chosen === undefined) return []
    const { path, query, offer, service } = this.#outgoing
    return alternatesOf({ path, query }, offer.representations, this.#chosen.representation, service.addresses.base)
  }
  get homeHref() {
    return this.#outgoing.service.addresses.home
  }
  get styleHref() {
    return this.#outgoing.service.addresses.base + stylePath
  }
  get scriptHref() {
    const { service, schema, request } = this.#outgoing
    // It needs the role reader.
    return request.admitted ? service.addresses.base + scriptPath(schema, this.reader.language) : undefined
  }
  get eventsHref() {
    return this.#outgoing.request.admitted ? this.#outgoing.service.addresses.events : undefined
  }
  get actor() {
    return this.#outgoing.request.actor ?? undefined
  }
  get profileHref() {
    const { request, service } = this.#outgoing
    const user = request.caller?.user ?? undefined
    return user === undefined ? undefined : service.addresses.user(user)
  }
  get signOutHref() {
    const { request, service } = this.#outgoing
    return request.caller?.session ? service.addresses.signOut : undefined
  }
  get notice() {
    const { notice } = this.#outgoing
    return notice && noticeMarkup(notice)
  }
  get people() {
    return this.#outgoing.service.roster.people
  }
  get navigation() {
    const { request, path, schema, service } = this.#outgoing
    const isUser = typeof request.caller?.user === 'string'
    return service.navigation(schema)(path, { isAdmitted: request.admitted, role: request.role, isUser })
  }
  get searchHref() {
    const { request, service } = this.#outgoing
    return request.admitted ? service.addresses.search : undefined
  }
  get themeHref() {
    const { request, service } = this.#outgoing
    return request.admitted ? service.addresses.theme : undefined
  }
  get back() {
    const { method, originalUrl } = this.#outgoing.request
    return method === 'GET' || method === 'HEAD' ? originalUrl : '/'
  }
}
