/**
 * The known word nearest to a misspelt one, or undefined if none is near. Among equally near ones it prefers the same
 * first and last letters: `neq` becomes `ne`, not `eq`.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const asked = word.slice(0, 64).toLowerCase()
  const limit = Math.min(FARTHEST, Math.max(1, Math.floor(asked.length / 3)))
  let best: string | undefined
  let least = limit
  for (const candidate of known) {
    if (Math.abs(candidate.length - asked.length) > least) continue
    const lower = candidate.toLowerCase()
    const away = distance(asked, lower, least)
    const isNearer = best === undefined ? away <= least : away < least
    if (isNearer || (away === least && likeness(asked, lower) > likeness(asked, best ?? ''))) {
      least = away
      best = candidate
    }
  }
  return best
}

/** A word with more typing errors is another one. There may be thousands of known words. */
const FARTHEST = 6

const likeness = (a: string, b: string): number => (a[0] === b[0] ? 2 : 0) + (a.at(-1) === b.at(-1) ? 1 : 0)

/**
 * Damerau–Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. Beyond the most that counts
 * it is any number above that.
 */
export function distance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  let leastBefore = 0
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced
      const away = Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1)
      next.push(away)
      least = Math.min(least, away)
    }
    // A swap looks back two rows.
    if (least > most && leastBefore > most) return most + 1
    leastBefore = least
    before = row
    row = next
  }
  return at(row, b.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? 0
