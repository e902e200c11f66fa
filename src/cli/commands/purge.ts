import { DAYS_TO_RESTORE } from '../../model/deal/rules.ts'
import type { DefineCommand } from '../command.ts'

export const definePurge: DefineCommand = (program, run) => {
  program
    .command('purge')
    .summary(`permanently remove things deleted over ${DAYS_TO_RESTORE} days ago`)
    .description(
      `Remove deals that were deleted over ${DAYS_TO_RESTORE} days ago, with their tasks, events and commands, for good; of customers, tasks and rates that were deleted then, all events and commands but the event of the deletion. Commands and events that are older than KEEP_COMMANDS and KEEP_EVENTS say go too, beside a running service.`,
    )
    .option('--dry-run', 'list the deleted things, and remove nothing')
    .action(
      run(async (settings, { dryRun = false }: { readonly dryRun?: boolean }) => {
        const { purge } = await import('../actions/purge-deleted.ts')
        return purge(settings, { dryRun })
      }),
    )
}
