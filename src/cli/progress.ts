import type { SingleBar } from 'cli-progress'

/** Shows progress on standard error: a bar on a terminal, elsewhere a plain line now and then. */
export interface Progress {
  /** `share` is 0 to 1, or undefined if the end is unknown; `count` is the number done so far. */
  update(count: number, share: number | undefined): void
  /** Prints a line above the bar. */
  note(line: string): void
  /** Names the current phase; shown on a terminal only. */
  phase(name: string): void
  stop(): void
}

const BETWEEN_LINES = 5000
const REFRESH = 100

/** `what` and `things` form the label, such as `importing` `customers`. */
export async function showProgress(what: string, things: string): Promise<Progress> {
  return process.stderr.isTTY ? bar(what, things) : lines(what, things)
}

async function bar(what: string, things: string): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress')
  const measure = stopwatch()
  const shown: SingleBar = new cliProgress.SingleBar(
    {
      format: `{what} {bar} {percent} | {count} ${things} | {rate} | {left}`,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      fps: 1000 / REFRESH,
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  )
  let phase = what
  let last = { count: 0, share: undefined as number | undefined }
  const payload = () => ({ what: phase, ...measure(last.count, last.share) })
  shown.start(1, 0, payload())
  const draw = (): void => shown.update(last.share ?? 0, payload())
  return {
    update(count, share) {
      last = { count, share }
      draw()
    },
    note(line) {
      shown.stop()
      process.stderr.write(`${line}\n`)
      shown.start(1, last.share ?? 0, payload())
    },
    phase(name) {
      phase = name
      draw()
    },
    stop: () => shown.stop(),
  }
}

function lines(what: string, things: string): Progress {
  const measure = stopwatch()
  let next = performance.now() + BETWEEN_LINES
  return {
    update(count, share) {
      if (performance.now() < next) return
      next = performance.now() + BETWEEN_LINES
      const shown = measure(count, share)
      const parts = [`${shown.count} ${things}`, ...(share === undefined ? [] : [shown.percent]), shown.rate]
      process.stderr.write(`${what}: ${[...parts, ...(share === undefined ? [] : [shown.left])].join(', ')}\n`)
    },
    note: (line) => void process.stderr.write(`${line}\n`),
    phase() {},
    stop() {},
  }
}

function stopwatch() {
  const start = performance.now()
  return (count: number, share: number | undefined) => {
    const seconds = (performance.now() - start) / 1000
    const left = share === undefined || share === 0 ? undefined : (seconds / share) * (1 - share)
    return {
      count: grouped(count),
      percent: share === undefined ? '–' : `${Math.floor(share * 100)} %`,
      rate: `${grouped(Math.round(count / Math.max(seconds, 0.001)))}/s`,
      left: left === undefined ? '' : `${duration(left)} left`,
    }
  }
}

/** 1234567 as 1,234,567. */
export const grouped = (count: number): string => count.toLocaleString('en')

/** A number of things with the right word for them: `1 row`, `1,234 rows`. */
export const counted = (count: number, thing: string): string =>
  `${grouped(count)} ${count === 1 ? thing : `${thing}s`}`

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
