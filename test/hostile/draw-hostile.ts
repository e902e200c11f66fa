import { pick, type Random } from '../../src/demo/random.ts'
import { bodyBounds, requestBounds } from '../../src/values/bounds.ts'
import type { Hostile, Known, Multiplier } from './multipliers/multiplier.ts'
import type { Framing } from './send-hostile.ts'

export interface Drawn {
  /** What it is, and at which count. */
  readonly name: string
  readonly role: 'reader' | 'editor'
  readonly framing: Framing
  readonly hostile: Hostile
}

/** A run of all tests sends less, which is read in less time. */
const isShort = process.env.HOSTILE_FILES === undefined
const LARGEST = isShort ? 150_000 : bodyBounds.bytes + 1
const FARTHEST = isShort ? 10_000 : Number.POSITIVE_INFINITY
/** Leaves room for the other headers. */
const LONGEST_HEAD = requestBounds.head - 600

/** Is at the edge that the table of bounds names, or far beyond it, as far as 1 MB goes. */
export function drawHostile(multiplier: Multiplier, known: Known, random: Random): Drawn {
  const { name, bound } = multiplier
  const far = Math.min(multiplier.far, Math.max(bound + 1, FARTHEST))
  const edge = pick(['bound - 1', 'bound', 'bound + 1', 'far', 'far', 'between'] as const, random)
  const between = bound + random(Math.max(1, Math.min(far - bound, 2 ** 31)))
  const counts = { 'bound - 1': bound - 1, bound, 'bound + 1': bound + 1, far, between }
  // Readers are refused before what they send is read, except for queries.
  const role = random(4) === 0 ? 'reader' : 'editor'
  const framing = random(3) === 0 ? 'chunked' : 'announced'
  const { hostile, count } = fitting(multiplier, Math.max(1, Math.floor(counts[edge])), known, random)
  return { name: `${name} × ${count} (${edge})`, role, framing, hostile }
}

/** With as large a count as 1 MB and an address allow. */
function fitting(multiplier: Multiplier, wanted: number, known: Known, random: Random) {
  // The same is drawn with each count.
  const again = random(2 ** 31)
  let count = wanted
  for (;;) {
    const hostile = multiplier.of(count, known, seeded(again))
    const excess = Math.max(sizeOf(hostile.content) / LARGEST, headOf(hostile) / LONGEST_HEAD)
    if (excess <= 1) return { hostile, count }
    count = Math.floor((count / excess) * 0.98)
  }
}

const seeded =
  (seed: number): Random =>
  (below) =>
    seed % below

const sizeOf = (content: Hostile['content']): number => (content === undefined ? 0 : Buffer.byteLength(content))

const headOf = ({ path, headers = {} }: Hostile): number => path.length + Object.values(headers).join('').length
