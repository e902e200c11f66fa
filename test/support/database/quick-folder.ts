import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { dirname, join } from 'node:path'

const BEGINNING = '/dev/shm/dealdesk-tests-'
const ENOUGH = 5 * 2 ** 30
const DAY = 86_400_000

/**
 * A folder in memory for what tests write, or nothing when there is no room for one or nothing can be run in it, as in
 * many containers. On a disk, tests wait for each sync of a database; that writes survive a crash is no matter of disks
 * here, as no test cuts the power.
 */
export function quickFolder(): string | undefined {
  let folder: string | undefined
  try {
    // A run that was killed has left its own.
    for (const left of globSync(`${BEGINNING}*`)) if (Date.now() - statSync(left).mtimeMs > DAY) remove(left)
    const { bavail, bsize } = statfsSync(dirname(BEGINNING))
    if (bavail * bsize < ENOUGH || freemem() < ENOUGH) return undefined
    folder = mkdtempSync(BEGINNING)
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o755)
    const program = join(folder, 'runs')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    if (spawnSync(program).status === 0) return folder
  } catch {}
  if (folder !== undefined) remove(folder)
  return undefined
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })
