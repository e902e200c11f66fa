import { createInterface } from 'node:readline/promises'
import type { Wave } from '../../imports/read/read-waves.ts'
import { lookKnown } from '../../imports/rows/look-known.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { defaultSort } from '../../queries/sort.ts'
import { type Desk, SERVICE } from '../../store/port/desk.ts'
import type { Store } from '../../store/port/store.ts'
import { Failure } from '../failure.ts'
import { grouped } from '../progress.ts'

/** The options of the caller, and how to report the rows that look known. */
interface KnownOptions {
  readonly things: string
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly say: (line: string) => void
}

/** Whether there is nothing that a row could look like. */
export async function isEmpty(store: Store, resource: Resource): Promise<boolean> {
  const collection = collectionOf(resource)
  const query = { filter: [], sort: defaultSort(collection), size: 1, count: false, refuseEmpty: false }
  const { items } = await store.as(SERVICE).page(collection, [], query)
  return items.length === 0
}

/** Continues if no row looks like something that is there, or the caller wants it again. Throws `Failure`. */
export async function confirmKnown(
  desk: Desk,
  resource: Resource,
  waves: AsyncIterable<Wave>,
  { things, yes = false, dryRun = false, say }: KnownOptions,
): Promise<void> {
  let count = 0
  for await (const { rows } of waves) count += await lookKnown(desk, resource, rows)
  if (count === 0) return
  say(looks(count, things))
  if (yes || dryRun) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure(`nothing is imported; --yes imports them as new ${things}`)
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await asking.question(`Import them as new ${things}? [y/N] `)
  asking.close()
  if (!/^\s*(?:y|yes|j|ja|o|oui|s|si|sí)\s*$/i.test(answer)) throw new Failure('nothing is imported')
}

/** The same for input, which is read once: rows that look known end it before they are written. */
export async function* refuseKnown(
  desk: Desk,
  resource: Resource,
  waves: AsyncIterable<Wave>,
  { things, yes = false, dryRun = false, say }: KnownOptions,
): AsyncGenerator<Wave> {
  let count = 0
  for await (const wave of waves) {
    count += yes ? 0 : await lookKnown(desk, resource, wave.rows)
    if (count > 0 && !dryRun) throw new Failure(`${looks(count, things)}; --yes imports them as new ${things}`)
    yield wave
  }
  if (count > 0) say(looks(count, things))
}

const looks = (count: number, things: string): string =>
  `${grouped(count)} ${count === 1 ? 'row looks' : 'rows look'} like ${things} that are there, and no column has an id or a reference`
