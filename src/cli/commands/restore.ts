import type { DefineCommand } from '../command.ts'

export const defineRestore: DefineCommand = (program, run) => {
  program
    .command('restore')
    .summary('replace the database by a backup')
    .description('Replace the database by a backup. Stop the service first. The backup is checked before.')
    .argument('<file>', 'what backup made')
    .option('--force', 'replace an existing database')
    .action(
      run(async (settings, file: string, { force = false }: { readonly force?: boolean }) => {
        const { restore } = await import('../actions/backups.ts')
        return restore(settings, file, { force })
      }),
    )
}
