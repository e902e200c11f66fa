import './at-end.ts'
import { globSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'

const project = join(import.meta.dirname, '../../..')
const ROOM = 'room.test.ts'

// Node has each thread write into the streams of its process. Threads of closed stores rest for the next ones, so a room
// has more of them than a service, and more than the ten listeners from which on Node warns.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

/** Runs the test files of a folder in one process. */
export const room = (folder: string): void => runTogether(filesOf(folder))

/**
 * Runs test files one after the other: what the hooks of a file start is closed before the next file begins. Each has
 * the name that it can be run by alone.
 */
export function runTogether(files: readonly string[]): void {
  for (const file of files) {
    suite(relative(project, file).replaceAll(sep, '/'), async () => {
      await import(pathToFileURL(file).href)
    })
  }
}

/** The files of a folder, and then those of the folders in it that have no room of their own. */
export function filesOf(folder: string): readonly string[] {
  const beneath = globSync(`*/**/${ROOM}`, { cwd: folder }).map((file) => dirname(file) + sep)
  return globSync('**/*.test.ts', { cwd: folder, exclude: [`**/${ROOM}`] })
    .filter((file) => !beneath.some((own) => file.startsWith(own)))
    .toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
    .map((file) => join(folder, file))
}

const depthOf = (file: string): number => file.split(sep).length
