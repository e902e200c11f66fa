import { collectionsOf } from '../../queries/collections.ts'
import type { Desk } from '../../store/port/desk.ts'
import { ask } from '../parts/ask.ts'

export interface AgeCount {
  /** The first of ten ages. */
  readonly from: number
  readonly count: number
}

/** The number of customers by decade of age. */
export async function readAges(desk: Desk): Promise<readonly AgeCount[]> {
  const { customers } = collectionsOf(desk.schema)
  const { items } = await ask(desk, customers, 'age.null=false&group=age&measure=count&maxpagesize=1000')
  const counts = new Map<number, number>()
  for (const json of items) {
    const { age, count } = JSON.parse(json) as { readonly age: number; readonly count: number }
    const from = age - (age % 10)
    counts.set(from, (counts.get(from) ?? 0) + count)
  }
  return [...counts].map(([from, count]) => ({ from, count }))
}
