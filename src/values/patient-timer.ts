const STEPS = 20

/**
 * A timer in steps. A process that stood still, on a busy or suspended machine, has not waited: it hears what came
 * meanwhile before it gives up. Returns a function that stops it.
 */
export function patientTimer(milliseconds: number, giveUp: () => void): () => void {
  let timer: NodeJS.Timeout
  const step = (left: number): void => {
    timer = setTimeout(() => (left === 1 ? giveUp() : step(left - 1)), milliseconds / STEPS)
  }
  step(STEPS)
  return () => clearTimeout(timer)
}
