/**
 * The most instructions that a pattern can compile to, estimated from its text before it is compiled.
 * A count in braces multiplies the element before it; nested counts multiply again.
 */
export function patternSize(pattern: string): number {
  const outer: Sizes[] = []
  let sizes = none()
  for (const [piece] of pattern.matchAll(pieces)) {
    const sign = piece.charAt(0)
    // A count behind flags or an empty quotation repeats the element before them.
    if (piece === '\\Q\\E' || (sign === '(' && piece.endsWith(')'))) continue
    if (sign === '(') {
      outer.push(sizes)
      sizes = none()
    } else if (sign === ')') {
      const { all } = sizes
      sizes = outer.pop() ?? none()
      add(sizes, all + FRAME)
    } else if (sign === '{' && piece.length > 1) {
      enlarge(sizes, (sizes.last + FRAME) * mostTimes(piece))
    } else if (sign === '*' || sign === '+' || sign === '?') {
      enlarge(sizes, sizes.last + FRAME)
    } else {
      // Only an alternative and a quoted text are more than one instruction.
      add(sizes, piece.startsWith('\\Q') ? piece.length : FRAME)
    }
  }
  return outer.reduce((sum, { all }) => sum + all, sizes.all) + FRAME
}

/** Flags, a group, a class, an escape, a count, or one character. */
const pieces =
  /\(\?[imsU-]*\)|\((?:\?P?<\w+>|\?[imsU-]*:?)?|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}|./gs

/** The instructions that a group, an alternative or a repetition adds. */
const FRAME = 2

/** The sizes of a sequence and of its last element, which a count repeats. */
interface Sizes {
  all: number
  last: number
}

const none = (): Sizes => ({ all: 0, last: 0 })

function add(sizes: Sizes, size: number): void {
  sizes.all += size
  sizes.last = size
}

function enlarge(sizes: Sizes, size: number): void {
  sizes.all += size - sizes.last
  sizes.last = size
}

/** The largest number in `{2}`, `{2,}` or `{2,5}`. */
const mostTimes = (count: string): number => Math.max(1, ...(count.match(/\d+/g) ?? []).map(Number)) + 1
