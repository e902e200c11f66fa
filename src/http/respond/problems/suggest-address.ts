import { nearest } from '../../../values/faults/nearest.ts'

const LONGEST = 500
const MOST_SEGMENTS = 8
/** The largest distance between an address and its suggestion. */
const FARTHEST = 3

/**
 * Suggests an address for one that does not exist: corrects a misspelt word, adds or drops leading segments.
 * `patterns` are the existing addresses, in segments.
 */
export function suggestAddress(sent: readonly string[], patterns: readonly (readonly string[])[]): string | undefined {
  if (sent.length > MOST_SEGMENTS || sent.join('/').length > LONGEST) return undefined
  let best: string | undefined
  let least = FARTHEST + 0.01
  for (const pattern of patterns) {
    for (let from = 0; from < pattern.length && !pattern[from - 1]?.startsWith(':'); from++) {
      const found = alignedAt(from, pattern, sent)
      if (found === undefined || found.cost >= least) continue
      least = found.cost
      best = `/${[...pattern.slice(0, from), ...found.segments].join('/')}`
    }
  }
  return best
}

interface Alignment {
  readonly cost: number
  readonly segments: readonly string[]
}

/** Matches the end of the path with the pattern, from a literal segment on. */
function alignedAt(from: number, pattern: readonly string[], sent: readonly string[]): Alignment | undefined {
  const wanted = pattern.slice(from)
  if (wanted[0]?.startsWith(':')) return undefined
  let best: Alignment | undefined
  // The last parameter may be missing.
  for (const forgotten of wanted.at(-1)?.startsWith(':') ? [0, 1] : [0]) {
    const skipped = sent.length - (wanted.length - forgotten)
    if (skipped < 0) continue
    const read = readAs(wanted, sent.slice(skipped))
    if (read === undefined) continue
    const cost = read.cost + from + skippedCost(sent.slice(0, skipped)) + forgotten / 2
    if (best === undefined || cost < best.cost) best = { ...read, cost }
  }
  return best
}

function readAs(wanted: readonly string[], sent: readonly string[]): Alignment | undefined {
  let cost = 0
  const segments: string[] = []
  for (const [at, segment] of wanted.entries()) {
    const own = sent[at]
    if (own === undefined) {
      segments.push(`{${segment.slice(1)}}`)
    } else if (segment.startsWith(':')) {
      segments.push(own)
    } else {
      if (!isLike(own, segment)) return undefined
      // An inserted or missing letter counts more than two swapped ones.
      if (own !== segment) cost += 0.5 + Math.abs(own.length - segment.length) / 10
      segments.push(segment)
    }
  }
  return { cost, segments }
}

/** Whether it is the same word, misspelt or without its extension. */
const isLike = (sent: string, segment: string): boolean =>
  sent === segment || nearest(sent, [segment]) !== undefined || segment.startsWith(`${sent}.`)

/** Usual prefixes of interfaces, which people add by mistake. */
const skippedCost = (segments: readonly string[]): number =>
  segments.reduce((cost, segment) => cost + (isPrefix(segment) ? 0.5 : 1), 0)

const isPrefix = (segment: string): boolean => segment === 'rest' || segment === 'api' || /^v\d+$/.test(segment)
