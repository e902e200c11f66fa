/** The code points that differ only by case from one of a range: of k, these are k, K and the Kelvin sign. */
export function caseFolds(from: number, to: number): readonly number[] {
  table ??= foldTable()
  const found = [...table].flatMap(([code, same]) => (code >= from && code <= to ? same : []))
  return [...new Set(found)].sort((a, b) => a - b)
}

// Built when a pattern first asks for it: few do.
let table: ReadonlyMap<number, readonly number[]> | undefined

/** No cased letter lies above. */
const LAST_CASED = 0x1e943

function foldTable(): ReadonlyMap<number, readonly number[]> {
  const orbits = new Map<number, readonly number[]>()
  for (let code = 0x41; code <= LAST_CASED; code++) {
    const letter = String.fromCodePoint(code)
    for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
      const otherCode = other.codePointAt(0) ?? 0
      if (other === letter || String.fromCodePoint(otherCode) !== other || !isSame(letter, other)) continue
      const united = new Set([...(orbits.get(code) ?? [code]), ...(orbits.get(otherCode) ?? [otherCode])])
      for (const each of united) orbits.set(each, [...united])
    }
  }
  return orbits
}

/** Unicode's simple case folding, which regular expressions go by, knows fewer pairs than the mappings of strings. */
const isSame = (letter: string, other: string): boolean => new RegExp(`^${letter}$`, 'iu').test(other)
