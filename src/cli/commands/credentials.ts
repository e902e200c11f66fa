import { Argument, type Command, Option } from 'commander'
import { type Role, roles } from '../../values/role.ts'
import type { DefineCommand } from '../command.ts'
import { exitCodes } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

type Actions = typeof import('../actions/credentials.ts')

const ROLES = 'reader, editor (operations, customers) or admin (users, webhooks)'

/** Users, who sign in with a password. */
export const defineUser: DefineCommand = (program, run) => {
  const what = 'Users, who sign in with a password'
  const command = program.command('user').summary(what).description(`${what}.`)
  const prompted = 'the password is prompted for, or read from standard input'
  const add = adding(command, `add a user; ${prompted}`)
  add
    .option('--new-database', 'make the database first, where there is none')
    .action(
      run((settings, name: string, options: Parameters<Actions['userAdd']>[2]) =>
        act((actions, terminal) => actions.userAdd(settings, name, options, terminal)),
      ),
    )
  named(command, 'passwd', `set a password, which ends all sessions of the user; ${prompted}`).action(
    run((settings, name: string) => act((actions, terminal) => actions.userPasswd(settings, name, terminal))),
  )
  named(command, 'role', 'give a user another role')
    .addArgument(new Argument('<role>', ROLES).choices(roles))
    .action(
      run((settings, name: string, role: Role) =>
        act((actions, terminal) => actions.userRole(settings, name, role, terminal)),
      ),
    )
  for (const [verb, disabled, summary] of [
    ['disable', true, 'keep a user out, with all sessions and keys'],
    ['enable', false, 'let a disabled user in again'],
  ] as const) {
    named(command, verb, summary).action(
      run((settings, name: string) =>
        act((actions, terminal) => actions.userDisable(settings, name, disabled, terminal)),
      ),
    )
  }
  defineListAndRemove('user', command, run)
}

/** API keys, which programs send. */
export const defineKey: DefineCommand = (program, run) => {
  const what = 'API keys, which programs send'
  const command = program.command('key').summary(what).description(`${what}.`)
  adding(command, 'add a key; it is shown once, on standard output')
    .option('--user <name>', 'the user of the key, which ends with the user and never has more rights')
    .option('--expires <date>', 'when it ends, such as 2027-06-30')
    .action(
      run((settings, name: string, options: Parameters<Actions['keyAdd']>[2]) =>
        act((actions, terminal) => actions.keyAdd(settings, name, options, terminal)),
      ),
    )
  defineListAndRemove('key', command, run)
}

const named = (command: Command, verb: string, summary: string): Command =>
  command.command(verb).argument('<name>').summary(summary)

const adding = (command: Command, summary: string): Command =>
  command
    .command('add')
    .argument('<name>', 'who it is; shown as the actor of what is done')
    .addOption(new Option('--role <role>', ROLES).choices(roles).makeOptionMandatory())
    .summary(summary)

function defineListAndRemove(kind: 'user' | 'key', command: Command, run: Parameters<DefineCommand>[1]): void {
  command
    .command('list')
    .summary(`list every ${kind}`)
    .action(run((settings) => act((actions, terminal) => actions.credentialList(settings, kind, terminal))))
  const remove = command.command('remove').summary(`remove a ${kind}`)
  const who = kind === 'key' ? 'its name, or USER/NAME where several keys are called so' : ''
  remove
    .argument('<name>', who)
    .action(
      run((settings, name: string) =>
        act((actions, terminal) => actions.credentialRemove(settings, kind, name, terminal)),
      ),
    )
}

/** Loaded when needed: help and other commands need none of it. */
async function act(work: (actions: Actions, terminal: Terminal) => Promise<void>): Promise<number> {
  const actions = await import('../actions/credentials.ts')
  const { ownTerminal } = await import('../terminal.ts')
  await work(actions, ownTerminal)
  return exitCodes.fine
}
