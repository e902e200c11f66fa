/**
 * How many instructions a pattern compiles to, at most: told from its text, before any time is spent on compiling it.
 * A count in braces multiplies the element before it, and so does each count around that.
 */
export function patternSize(pattern: string): number {
  const outer: Sizes[] = []
  let sizes = none()
  for (const [piece] of pattern.matchAll(pieces)) {
    const sign = piece.charAt(0)
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
      // An alternative and a quoted text are the only pieces of more than one instruction.
      add(sizes, piece.startsWith('\\Q') ? piece.length : FRAME)
    }
  }
  return outer.reduce((sum, { all }) => sum + all, sizes.all) + FRAME
}

/** A group, a class, an escape, a count, or one character. */
const pieces =
  /\((?:\?P?<\w+>|\?[imsU-]*:?)?|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}|./gs

/** What a group, an alternative or a repetition adds. */
const FRAME = 2

/** Of a sequence, and of its last element, which a count is about. */
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

/** Of `{2}`, `{2,}` and `{2,5}`. */
const mostTimes = (count: string): number => Math.max(1, ...(count.match(/\d+/g) ?? []).map(Number)) + 1
