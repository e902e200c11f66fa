import { pick, type Random } from '../../../src/demo/random.ts'
import { valueIn } from '../../../src/model/declaration/operation.ts'
import type { Thing } from '../../../src/model/declaration/resource.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import type { JsonSchema, Kind } from '../../../src/values/kinds/kind.ts'
import type { Total } from '../../../src/values/kinds/money.ts'

/** Letters that fold or sort in ways of their own, and signs that SQL, patterns or JSON read as something else. */
const letters: readonly string[] = [
  ...['a', 'A', 'b', 'é', 'É', 'e\u0301', '\u0301', 'ß', 'ẞ', 'ss', 'SS', 'ſ', 's', 'İ', 'i', 'ı', 'I', 'i\u0307'],
  ...['Σ', 'ς', 'σ', '\u212a', 'k', '\u212b', 'å', 'ﬁ', 'fi', 'ﬃ', '\uff83\uff9e', '\u30c7', '\u682a', '\u3231'],
  ...['\ud55c', '\u1112\u1161\u11ab', '\u1112', '😀', '😀', '𝒳', '\uff5e', '\ue000', '\ufffd', 'ŉ', 'Ǆ', '\ufdfa'],
  ...['ᾳ', '\u0345', '\u0489', '\u200b', '\u00ad', 'Ω', '\u2126', '\u1e9b\u0323', 'ǰ', 'ﬅ', 'Ꭰ', 'ꭰ', 'ⓐ', '\u13f8'],
  ...['%', '_', '\\', "'", '"', ' ', '\u00a0', '\u3000', '\u2028', '\n', '\t', '\r', '1', '0', '.', '-', ',', '@', '$'],
]
const words: readonly string[] = [
  'ana',
  'Ana',
  'ANA',
  'Straße',
  'STRASSE',
  'strasse',
  'istanbul',
  'İstanbul',
  'a@b.c',
  'https://a.b/C',
]

/** Where letters have cases, marks and compatible forms. */
const blocks: readonly (readonly [first: number, last: number])[] = [
  'a0-2ff 300-36f 370-58f 10a0-10ff 13a0-13ff 1c80-1cbf 1d00-1fff 2000-218f 2460-24ff 2c00-2dff 3040-33ff',
  'a640-abff fb00-fdcf fe20-ffef 10400-104ff 1d400-1d7ff 1e900-1e95f',
].flatMap((line) =>
  line.split(' ').map((block) => {
    const [first = 0, last = 0] = block.split('-').map((code) => Number.parseInt(code, 16))
    return [first, last] as const
  }),
)

/** Units of an amount. */
const units: readonly number[] = [
  ...[0, 1, -1, 10, 50, 999, 1000, 1001, -1000, -1500, 1550, 50_000, 100_000, 12_345_678, 1e9 + 1, 1e12],
  ...[1e14, 999_999_999_999_999, 1e15, 1e15 + 1, 8_999_999_999_999_999, 9e15, 2 ** 53 - 1, 1 - 2 ** 53],
]
/** Totals of an earlier release, larger than a double can tell apart. decisions/0018 */
const beyondSafe: readonly Total[] = [2n ** 53n, 2n ** 53n + 1n, 2n ** 62n + 5n]

const days = ['0001-01-01', '2026-01-30', '2026-02-01', '2026-12-31', '2028-02-29', '9999-12-31']
const moments = days.flatMap((day) => [`${day}T00:00:00.000Z`, `${day}T10:00:00.001Z`])
const numbers = [0, 1, 2, 3, 17, 18, 19, 50, 150, 4_000_000_000, 2 ** 53 - 1]

export function drawText(random: Random): string {
  if (random(6) === 0) return pick(words, random)
  const text = Array.from({ length: random(5) }, () => drawLetter(random)).join('')
  return random(40) === 0 ? text.repeat(40) : text
}

function drawLetter(random: Random): string {
  if (random(5) > 0) return pick(letters, random)
  const [first, last] = pick(blocks, random)
  return String.fromCodePoint(first + random(last - first + 1))
}

/** A value of a kind, as the domain holds it. */
export function drawValue(kind: Kind<unknown>, random: Random): unknown {
  if (kind.nullable && random(4) === 0) return null
  switch (kind.name) {
    case 'text':
      return drawAccepted(kind, random)
    case 'choice':
      return pick(choicesOf(kind), random)
    case 'choices': {
      const drawn = kind.read(choicesOf(kind).filter(() => random(3) === 0))
      return 'value' in drawn ? drawn.value : null
    }
    case 'amount':
      // An earlier release stored amounts beyond what is accepted, but not those of added fields.
      return pick(kind.titled ? units.filter((each) => isRead(kind, each)) : units, random)
    case 'integer':
      return pick(accepted(kind, numbers), random)
    case 'boolean':
      return random(2) === 0
    case 'date':
      return pick(days, random)
    case 'instant':
      return pick(moments, random)
    case 'uuid':
      return uuid(random(30))
  }
}

/** Whether a document has the value so that it is read from there again. */
function isRead(kind: Kind<unknown>, value: unknown): boolean {
  const read = kind.read(kind.write(value))
  return 'value' in read && read.value === value
}

const accepted = <T>(kind: Kind<unknown>, values: readonly T[]): readonly T[] =>
  values.filter((value) => 'value' in kind.read(value))

function drawAccepted(kind: Kind<unknown>, random: Random): unknown {
  for (let tries = 0; tries < 20; tries++) {
    const read = kind.read(drawText(random))
    if ('value' in read) return read.value
  }
  return pick(accepted(kind, words), random)
}

/** A few of them, so that things have the same. */
function choicesOf({ schema }: Kind<unknown>): readonly string[] {
  const own = (schema.anyOf as readonly JsonSchema[] | undefined)?.[0] ?? schema
  const { enum: words } = (own.items ?? own) as JsonSchema
  return (words as readonly string[]).slice(0, 6)
}

const uuid = (n: number): string => `01936f2e-5d3c-7a41-8f6b-${String((n * 7919) % 1000).padStart(12, '0')}`

/** By the name of their resource. */
export type DrawnThings = ReadonlyMap<string, readonly Thing[]>

/** So many things of each resource; those that others refer to come first. */
export function drawThings(resources: readonly Resource[], count: number, random: Random): DrawnThings {
  const drawn = new Map<string, readonly Thing[]>()
  for (const resource of resources) {
    const things = Array.from({ length: count }, (_, at) => {
      const id = resource.kinds.id?.name === 'integer' ? (at === 0 ? 5_000_000_000 : at) : uuid(at)
      return { ...drawMembers(resource, drawn, random), id } as unknown as Thing
    })
    drawn.set(resource.name, withoutTwins(resource, things))
  }
  return drawn
}

/** The same things, without the unique values that an earlier one has. */
function withoutTwins({ uniques }: Resource, things: readonly Thing[]): readonly Thing[] {
  const taken = new Map(uniques.map((name) => [name, new Set<unknown>([null])]))
  return things.map((thing) => {
    const twins = uniques.filter((name) => {
      const value = valueIn(thing, name)
      const isTwin = taken.get(name)?.has(value)
      taken.get(name)?.add(value)
      return isTwin
    })
    return { ...thing, ...Object.fromEntries(twins.map((name) => [name, null])) }
  })
}

function drawMembers({ name: resource, kinds }: Resource, drawn: DrawnThings, random: Random): object {
  const members = Object.entries<Kind<unknown>>(kinds).map(([name, kind]) => {
    if (resource === 'deal' && name === 'paid' && random(8) === 0) return [name, pick(beyondSafe, random)]
    if (kind.refersTo === undefined) return [name, drawValue(kind, random)]
    return [name, kind.nullable && random(4) === 0 ? null : pick(drawn.get(kind.refersTo) ?? [], random).id]
  })
  return Object.fromEntries(members)
}
