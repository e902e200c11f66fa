import type { DefineCommand } from '../command.ts'

export const defineCopy: DefineCommand = (program, run) => {
  program
    .command('copy')
    .argument('<source>', 'the database to read: a file, or postgres://…')
    .argument('<target>', 'an empty database to fill: a file, or postgres://…')
    .summary('copy everything into another, empty database')
    .description('Copy everything into another, empty database, and compare the two. Stop the service first.')
    .action(
      run(async (_settings, source: string, target: string) => {
        const { copy } = await import('../actions/copy-all.ts')
        return copy(source, target)
      }),
    )
}
