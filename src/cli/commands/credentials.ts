import type { DefineCommand } from '../command.ts'
import { exitCodes } from '../failure.ts'

/** `user` and `key` have the same three verbs. */
const defineCredentials =
  (kind: 'user' | 'key', about: { readonly what: string; readonly added: string }): DefineCommand =>
  (program, run) => {
    const command = program.command(kind).summary(about.what).description(`${about.what}.`)
    command
      .command('add')
      .argument('<name>', 'who it is; shown as the actor of what is done')
      .requiredOption('--role <role>', 'reader, editor (operations) or admin (customers, webhooks)')
      .summary(about.added)
      .action(
        run(async (settings, name: string, { role }: { readonly role: string }) => {
          const { userAdd, keyAdd } = await import('../actions/manage-credentials.ts')
          const { ownTerminal } = await import('../terminal.ts')
          await (kind === 'user' ? userAdd : keyAdd)(settings, name, role, ownTerminal)
          return exitCodes.fine
        }),
      )
    command
      .command('list')
      .summary(`list every ${kind}`)
      .action(
        run(async (settings) => {
          const { credentialList } = await import('../actions/manage-credentials.ts')
          await credentialList(settings, kind, (await import('../terminal.ts')).ownTerminal)
          return exitCodes.fine
        }),
      )
    command
      .command('remove')
      .argument('<name>')
      .summary(`remove a ${kind}`)
      .action(
        run(async (settings, name: string) => {
          const { credentialRemove } = await import('../actions/manage-credentials.ts')
          await credentialRemove(settings, kind, name, (await import('../terminal.ts')).ownTerminal)
          return exitCodes.fine
        }),
      )
  }

export const defineUser = defineCredentials('user', {
  what: 'Users, who sign in with a password',
  added: 'add a user; the password is prompted for, or read from standard input',
})

export const defineKey = defineCredentials('key', {
  what: 'API keys, which programs send',
  added: 'add a key; it is shown once, on standard output',
})
