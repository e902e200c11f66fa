import { median } from './measure.ts'

/** Measures two in turn, and returns a row of a table: both medians, the median of the ratios, and where that is. */
export async function pairedRow(
  title: string,
  rounds: number,
  one: (round: number) => Promise<number>,
  other: (round: number) => Promise<number>,
): Promise<string[]> {
  const pairs: (readonly [number, number])[] = []
  for (let round = 1; round <= rounds; round++) {
    // Each goes first every other time.
    const first = round % 2 === 0 ? await one(round) : undefined
    const second = await other(round)
    pairs.push([first ?? (await one(round)), second])
  }
  const ratios = pairs.map(([before, after]) => after / before).toSorted((a, b) => a - b)
  const row = [
    title,
    ...[0, 1].map((at) => median(pairs.map((pair) => pair[at] ?? 0)).toFixed(0)),
    `${median(ratios).toFixed(2)}×`,
    [ratios[1], ratios.at(-2)].map((ratio) => ratio?.toFixed(2)).join(' to '),
  ]
  process.stderr.write(`${row.join('  ')}\n`)
  return row
}
