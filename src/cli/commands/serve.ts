import { type DefineCommand, loaded } from '../command.ts'

export const defineServe: DefineCommand = (program, run) => {
  program
    .command('serve', { isDefault: true })
    .summary('run the service (the default command)')
    .description('Run the service until ctrl-C or SIGTERM.')
    .option('--demo', 'fill an empty database with 1,000 customers and 60 deals first, the same each time')
    .action(run(loaded(async () => (await import('../actions/run-service.ts')).serve)))
}
