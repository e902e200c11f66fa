const FIRST_STEP = 128
const LONGEST_STEP = 8192
/** As many as hold a match of a common word. */
const ROWS_PER_MATCH = 8
/** The least and the most milliseconds that a step should take. */
const [SHORT, LONG] = [4, 16]

/** Adapts the number of rows per step. A longer page begins with a longer step: its first rows are among more. */
export function newPace(size = 0) {
  const pace = {
    rows: Math.min(LONGEST_STEP, Math.max(FIRST_STEP, ROWS_PER_MATCH * size)),
    /** `took` is undefined if the step was interrupted. */
    keep(took: number | undefined): void {
      if (took === undefined) pace.rows = Math.max(1, pace.rows >> 2)
      else if (took < SHORT) pace.rows = Math.min(LONGEST_STEP, pace.rows * 2)
      else if (took > LONG) pace.rows = Math.max(1, pace.rows >> 1)
    },
  }
  return pace
}
