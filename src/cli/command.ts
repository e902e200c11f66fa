import type { Command } from 'commander'
import type { Settings } from '../config.ts'
import type { Schema } from '../model/declaration/schema.ts'

/** Runs a command. Returns the exit code, or undefined if the process continues, as a server does. */
export type CommandAction<A extends unknown[] = never[]> = (
  settings: Settings,
  ...args: A
) => Promise<number | undefined>

/** Adds a command to the program; `run` passes the settings to the action and exits with its code. */
export type DefineCommand = (
  program: Command,
  run: <A extends unknown[]>(action: CommandAction<A>) => (...args: A) => Promise<void>,
  schema: Schema,
) => void

/** An action that is loaded when it runs: help and other commands need none of it. */
export const loaded =
  <A extends unknown[]>(load: () => Promise<CommandAction<A>>): CommandAction<A> =>
  async (...args) =>
    (await load())(...args)
