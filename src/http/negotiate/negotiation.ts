import { contentTypeFor, type Representation } from '../../representations/representation.ts'
import { carrying, representations } from '../../representations/representations.ts'
import { memoize } from '../../values/memoize.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Acceptance, acceptanceOf, type MediaRange, parseAccept } from './accept.ts'

export interface Chosen {
  readonly representation: Representation
  /** The value of Content-Type, with the type that the client asked for. */
  readonly contentType: string
}

export type Negotiated = Chosen | { readonly unacceptable: true }

/**
 * Picks the representation of an answer. `forced`, a name from the path's suffix or from `format`, wins over Accept.
 * Ties go to the more specific range, then to the one named first, then to the first in the offer.
 */
export function negotiate(
  accept: string | undefined,
  forced: string | undefined,
  { answers }: RepresentationOffer,
): Negotiated {
  if (forced !== undefined) return answers.named.get(forced) ?? unacceptable
  return acceptable(accept, answers)
}

/** The same for a problem, which is always sent: in JSON if the chosen representation cannot carry it. */
export function problemRepresentation(
  accept: string | undefined,
  forced: string | undefined,
  { answers, problems }: RepresentationOffer,
): Chosen {
  const named = forced === undefined ? undefined : problems.named.get(forced)
  if (named !== undefined) return named
  // An unknown format is ignored, so Accept decides; a known format wins.
  const isKnown = forced !== undefined && answers.named.has(forced)
  const negotiated = isKnown ? unacceptable : acceptable(accept, problems)
  return 'unacceptable' in negotiated ? problems.usual : negotiated
}

/** Whether the client accepts content of one type, under any of its names. */
export function isWelcome(accept: string | undefined, forced: string | undefined, types: readonly string[]): boolean {
  if (forced !== undefined) {
    return representations.some(({ name, mediaTypes }) => name === forced && types.includes(mediaTypes[0]))
  }
  if (accept === undefined || accept === '*/*' || accept.trim() === '') return true
  const ranges = parseAccept(accept)
  return types.some((type) => (acceptanceOf(type, ranges)?.weight ?? 0) > 0)
}

const unacceptable = { unacceptable: true } as const

/** Representations to choose from, with what negotiation needs to know about them, independent of the request. */
export interface RepresentationOffer {
  readonly representations: readonly Representation[]
  /** The choice if every type is acceptable. */
  readonly usual: Chosen
  readonly answers: Table
  readonly problems: Table
}

export function offerOf(available: readonly Representation[]): RepresentationOffer {
  const answers = answerTable(available)
  return { representations: available, usual: answers.usual, answers, problems: problemTable(available) }
}

interface Table {
  readonly named: ReadonlyMap<string, Chosen>
  readonly usual: Chosen
  /** The choice for an Accept header, memoized. */
  readonly decided: (accept: string) => Negotiated
}

interface Candidate {
  readonly mediaType: string
  readonly chosen: Chosen
}

function answerTable(available: readonly Representation[]): Table {
  const usual: Candidate[] = []
  const others: Candidate[] = []
  const lastResort: Candidate[] = []
  for (const representation of available) {
    const { contentType, mediaTypes, problemType } = representation
    const [first, ...rest] = mediaTypes
    usual.push({ mediaType: first, chosen: { representation, contentType } })
    for (const mediaType of rest) {
      others.push({ mediaType, chosen: { representation, contentType: contentTypeFor(representation, mediaType) } })
    }
    // A client that accepts only problem types understands their base format and gets the answer in it.
    if (problemType !== undefined) lastResort.push({ mediaType: problemType, chosen: { representation, contentType } })
  }
  // After all the usual types, so that `text/*` prefers text/html to text/xml.
  return tableOf([...usual, ...others], lastResort)
}

function problemTable(available: readonly Representation[]): Table {
  const candidates: Candidate[] = []
  const others: Candidate[] = []
  for (const representation of available) {
    const { problemType, mediaTypes } = representation
    if (problemType === undefined) continue
    const chosen = { representation, contentType: contentTypeFor(representation, problemType) }
    candidates.push({ mediaType: problemType, chosen })
    // A client that accepts application/json accepts a JSON problem.
    for (const mediaType of mediaTypes) if (mediaType !== problemType) others.push({ mediaType, chosen })
  }
  return tableOf([...candidates, ...others], [])
}

function tableOf(candidates: readonly Candidate[], lastResort: readonly Candidate[]): Table {
  const named = new Map<string, Chosen>()
  for (const { chosen } of candidates) {
    if (!named.has(chosen.representation.name)) named.set(chosen.representation.name, chosen)
  }
  const usual = candidates[0]?.chosen
  if (usual === undefined) throw new Error('there is no representation to choose from')
  return { named, usual, decided: memoize((accept) => decide(accept, candidates, lastResort, usual)) }
}

function acceptable(accept: string | undefined, table: Table): Negotiated {
  if (accept === undefined || accept === '*/*') return table.usual
  return table.decided(accept)
}

function decide(
  accept: string,
  candidates: readonly Candidate[],
  lastResort: readonly Candidate[],
  usual: Chosen,
): Negotiated {
  // An empty header counts as none.
  if (accept.trim() === '') return usual
  const ranges = parseAccept(accept)
  // If no candidate is acceptable, the fallback may be.
  return best(ranges, candidates) ?? best(ranges, lastResort) ?? unacceptable
}

function best(ranges: readonly MediaRange[], candidates: readonly Candidate[]): Chosen | undefined {
  let found: Chosen | undefined
  let foundAs: Acceptance | undefined
  for (const { mediaType, chosen } of candidates) {
    const acceptance = acceptanceOf(mediaType, ranges)
    if (acceptance === undefined || acceptance.weight === 0) continue
    if (foundAs !== undefined && !isBetter(acceptance, foundAs)) continue
    found = chosen
    foundAs = acceptance
  }
  return found
}

function isBetter(a: Acceptance, b: Acceptance): boolean {
  if (a.weight !== b.weight) return a.weight > b.weight
  if (a.specificity !== b.specificity) return a.specificity > b.specificity
  return a.place < b.place
}

/** The offer of endpoints for one thing. */
export const thingOffer = offerOf(carrying('resource'))

/** The offer of an endpoint: for one thing, or for a list of a kind. */
export const offerAt = ({ offers, items }: Pick<Endpoint, 'offers' | 'items'>): RepresentationOffer =>
  offers === 'collection' || offers === 'found' ? offerOf(carrying('page', items)) : thingOffer
