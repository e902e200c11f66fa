import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os'

/** Where and when a result was measured, and of which commit. */
export interface Machine {
  readonly date: string
  readonly commit: string
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  readonly node: string
  readonly sqlite: string
}

export function thisMachine(now: Date): Machine {
  return {
    date: now.toISOString(),
    commit: commitNow(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? '',
  }
}

function commitNow(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return 'unknown'
  }
}
