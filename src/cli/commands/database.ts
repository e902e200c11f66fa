import { DAYS_TO_RESTORE } from '../../model/nouns/deal/rules.ts'
import { type DefineCommand, loaded } from '../command.ts'

// The commands for an operator's work on a database.

export const defineMigrate: DefineCommand = (program, run) => {
  program
    .command('migrate')
    .summary('migrate the database to this release')
    .description(
      'Bring an old database to the schema of this release, as a start of the service does. Each step is kept: one that is broken off goes on. Take a backup before.',
    )
    .action(run(loaded(async () => (await import('../actions/tend-database.ts')).migrate)))
}

export const defineBackup: DefineCommand = (program, run) => {
  program
    .command('backup')
    .summary('copy the database, also while the service is running')
    .description('Copy the database as of one moment, also while the service is running; restore puts it back.')
    .argument('<file>', 'where the copy goes')
    .option('--force', 'replace an existing file')
    .action(run(loaded(async () => (await import('../actions/backups.ts')).backup)))
}

export const defineRestore: DefineCommand = (program, run) => {
  program
    .command('restore')
    .summary('replace the database by a backup')
    .description('Replace the database by a backup. Stop the service first. The backup is checked before.')
    .argument('<file>', 'what backup made')
    .option('--force', 'replace an existing database')
    .action(run(loaded(async () => (await import('../actions/backups.ts')).restore)))
}

export const defineCopy: DefineCommand = (program, run) => {
  program
    .command('copy')
    .argument('<source>', 'the database to read: a file, or postgres://…')
    .argument('<target>', 'an empty database to fill: a file, or postgres://…')
    .summary('copy everything into another, empty database')
    .description('Copy everything into another, empty database, and compare the two. Stop the service first.')
    .action(run(loaded(async () => (await import('../actions/copy-all.ts')).copy)))
}

export const definePurge: DefineCommand = (program, run) => {
  program
    .command('purge')
    .summary(`permanently remove things deleted over ${DAYS_TO_RESTORE} days ago`)
    .description(
      `Remove deals that were deleted over ${DAYS_TO_RESTORE} days ago, with their tasks, events and commands, for good; of customers, tasks and rates that were deleted then, all events and commands but the event of the deletion; and the values of fields that were retired then, history included. Commands and events that are older than KEEP_COMMANDS and KEEP_EVENTS say go too, beside a running service.`,
    )
    .option('--dry-run', 'list the deleted things, and remove nothing')
    .action(run(loaded(async () => (await import('../actions/purge-deleted.ts')).purge)))
}

export const defineVacuum: DefineCommand = (program, run) => {
  program
    .command('vacuum')
    .summary('release the space of removed rows')
    .description(
      'Write the SQLite database anew, without the room of what was removed. The service must be stopped; it takes as much free disk as the database has.',
    )
    .action(run(loaded(async () => (await import('../actions/tend-database.ts')).vacuum)))
}
