import { readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isRunning } from './running-process.ts'

/**
 * The temporary name of a file while it is written: it contains the process id, so that two writers of the same file do
 * not share it. Leftovers of killed processes are removed.
 */
export function partialOf(file: string): string {
  const folder = dirname(file)
  // Processes of other machines, which may use the folder too, cannot be checked.
  const beginning = `${basename(file)}.${hostname()}-`
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(beginning) ? /^(\d+)\.partial$/.exec(name.slice(beginning.length))?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true })
  }
  return join(folder, `${beginning}${process.pid}.partial`)
}
