/** Answers writes when they are durable: one COMMIT with its sync for all of a turn of the event loop. */
export function turnCommits(commit: () => void): (answer: () => void) => void {
  let waiting: (() => void)[] = []
  const commitTurn = (): void => {
    commit()
    const answers = waiting
    waiting = []
    for (const answer of answers) answer()
  }
  return (answer) => {
    if (waiting.length === 0) setImmediate(commitTurn)
    waiting.push(answer)
  }
}

/** Commits each write before the next is begun, as most services that are written by hand do. */
export function eachCommits(commit: () => void): (answer: () => void) => void {
  return (answer) => {
    commit()
    answer()
  }
}
