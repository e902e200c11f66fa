import type { DefineCommand } from '../command.ts'

export const defineBackup: DefineCommand = (program, run) => {
  program
    .command('backup')
    .summary('copy the database, also while the service is running')
    .description('Copy the database as of one moment, also while the service is running; restore puts it back.')
    .argument('<file>', 'where the copy goes')
    .option('--force', 'replace an existing file')
    .action(
      run(async (settings, file: string, { force = false }: { readonly force?: boolean }) => {
        const { backup } = await import('../actions/backups.ts')
        return backup(settings, file, { force })
      }),
    )
}
