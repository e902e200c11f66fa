import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Command, CommanderError } from 'commander'
import { BadSetting, readSettings } from '../config.ts'
import { buildSchema } from '../model/schema/build-schema.ts'
import { nearest } from '../values/faults/nearest.ts'
import type { CommandAction } from './command.ts'
import { commands } from './commands.ts'
import { exitCodes, fileFailure } from './failure.ts'

/** Runs the command that the arguments name. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command('dealdesk')
    .description('A desk for customers and deals: pages for people, and one API in every form for programs.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print how to use it')
    .helpCommand('help [command]', 'print how to use a command')
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(withNearest(text.replace(/^error: /, 'dealdesk: '))) })
    .exitOverride()
    .option('--env-file <file>', 'settings, a NAME=value in each line; the environment wins')
    .hook('preAction', (whole) => readSettingsFile(whole.opts()))
    .addHelpText('after', settingsHelp)
  const schema = buildSchema()
  for (const define of commands) define(program, ending, schema)
  try {
    // `help user add` is `user add --help`; commander supports only one word.
    const [word = '', ...rest] = args
    const asked = word === 'help' && rest.length > 0 ? [...rest, '--help'] : args
    refuseUnknown(program, asked[0] ?? '')
    await program.parseAsync(asked, { from: 'user' })
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause
    process.exitCode = cause.exitCode === 0 ? exitCodes.fine : exitCodes.usage
  }
}

/** Refuses an unknown command, which commander would pass as an argument to the default command. */
function refuseUnknown(program: Command, word: string): void {
  const known = ['help', ...program.commands.map((command) => command.name())]
  if (word.startsWith('-') || known.includes(word)) return
  const near = nearest(word, known)
  program.error(`error: there is no command ${word}${near === undefined ? '' : `, did you mean ${near}?`}`)
}

/** Commander suggests commands and options; the values that it has a choice of are suggested here. */
function withNearest(text: string): string {
  const [, value = '', choices] = /'([^']*)' is invalid.* Allowed choices are (.*)\.\n$/.exec(text) ?? []
  const near = choices === undefined ? undefined : nearest(value, choices.split(', '))
  return near === undefined ? text : text.replace(/\.\n$/, `; did you mean ${near}?\n`)
}

const ending =
  <A extends unknown[]>(action: CommandAction<A>) =>
  async (...args: A): Promise<void> => {
    const code = await action(readSettings(process.env), ...args)
    if (code !== undefined) process.exitCode = code
  }

const settingsHelp = `
Settings come from the environment, or from --env-file: DATABASE_URL (data/dealdesk.db), HOST, PORT, LOG_LEVEL and those
in docs/settings.md.`

/** Settings of the file are added to the environment, where libraries and threads read them, too. */
function readSettingsFile({ envFile }: { readonly envFile?: string }): void {
  if (envFile === undefined) return
  const text = textOf(envFile)
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const written = settingLine.exec(line)?.[1]
    const isRead = written !== undefined && parseEnv(line)[written] !== undefined
    if (!isRead && !/^\s*(#|$)/.test(line)) {
      throw new BadSetting(`${envFile}, line ${index + 1} is not usable: expected NAME=value, one in each line`)
    }
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value
}

const settingLine = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"[^"]*"|'[^']*'|[^"'].*)?\s*(?:#.*)?$/

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw fileFailure(file, cause)
  }
}

function version(): string {
  const path = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version
}
