import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH = 3 * 2 ** 30

/**
 * A folder in memory for what tests write, or nothing when there is no room for one or nothing can be run in it, as in
 * many containers. On a disk, tests wait for each sync of a database; that writes survive a crash is no matter of disks
 * here, as no test cuts the power.
 */
export function quickFolder(): string | undefined {
  let folder: string | undefined
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < ENOUGH || freemem() < ENOUGH) return undefined
    folder = mkdtempSync(join(MEMORY, 'dealdesk-'))
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o755)
    const program = join(folder, 'runs')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    if (spawnSync(program).status === 0) return folder
  } catch {}
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  return undefined
}
