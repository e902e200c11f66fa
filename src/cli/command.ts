import type { Command } from 'commander'
import type { Settings } from '../config.ts'

/** What a command does; it answers with the exit code, or nothing when it goes on, as a server does. */
export type Action<A extends unknown[] = never[]> = (settings: Settings, ...args: A) => Promise<number | undefined>

/** Adds its command to the program; `run` gives the action its settings and ends the process with what it answers. */
export type DefineCommand = (
  program: Command,
  run: <A extends unknown[]>(action: Action<A>) => (...args: A) => Promise<void>,
) => void
