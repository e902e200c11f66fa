import type { DefineCommand } from '../command.ts'

export const defineBackup: DefineCommand = (program, run) => {
  program
    .command('backup')
    .summary('copy the database, also while the service is running')
    .description(
      'Copy the database as of one moment, also while the service is running. docs/operating.md tells how to restore.',
    )
    .argument('<file>', 'where the copy goes')
    .option('--force', 'replace a file that is there')
    .action(
      run(async (settings, file: string, { force = false }: { readonly force?: boolean }) => {
        const { backup } = await import('../backup.ts')
        return backup(settings, file, { force })
      }),
    )
}
