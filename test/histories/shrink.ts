/**
 * Leaves out what a failure does not need: halves first, then ever smaller parts, then single steps. `fails` tells the
 * steps again, and gives those up to the failure, or nothing if there is none.
 */
export async function shrunk<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<readonly T[] | undefined>,
  tries: number,
): Promise<readonly T[]> {
  let left = steps
  let tried = 0
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // From the end: what is earlier is needed by what is later.
    for (let end = left.length - 1; end > 0 && tried < tries; end -= size) {
      const from = Math.max(0, end - size)
      const without = [...left.slice(0, from), ...left.slice(end)]
      tried++
      const failing = await fails(without)
      if (failing !== undefined) left = failing
      end = Math.min(end, left.length + size - 1)
    }
  }
  return left
}
