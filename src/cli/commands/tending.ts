import type { DefineCommand } from '../command.ts'

export const defineMigrate: DefineCommand = (program, run) => {
  program
    .command('migrate')
    .summary('migrate the database to this release')
    .description(
      'Bring an old database to the schema of this release, as a start of the service does. Each step is kept: one that is broken off goes on. Take a backup before.',
    )
    .action(
      run(async (settings) => {
        const { migrate } = await import('../actions/tend-database.ts')
        return migrate(settings)
      }),
    )
}

export const defineVacuum: DefineCommand = (program, run) => {
  program
    .command('vacuum')
    .summary('release the space of removed rows')
    .description(
      'Write the SQLite database anew, without the room of what was removed. The service must be stopped; it takes as much free disk as the database has.',
    )
    .action(
      run(async (settings) => {
        const { vacuum } = await import('../actions/tend-database.ts')
        return vacuum(settings)
      }),
    )
}
