/** The known word that a misspelt one most likely meant, or nothing when none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: string | undefined
  let least = limit + 1
  const asked = word.slice(0, 64).toLowerCase()
  for (const candidate of known) {
    if (Math.abs(candidate.length - asked.length) >= least) continue
    const away = distance(asked, candidate.toLowerCase())
    if (away < least) {
      least = away
      best = candidate
    }
  }
  return best
}

/** Levenshtein's distance, a row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
