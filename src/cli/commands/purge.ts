import { DAYS_TO_RESTORE } from '../../model/deal/conditions.ts'
import type { DefineCommand } from '../command.ts'

export const definePurge: DefineCommand = (program, run) => {
  program
    .command('purge')
    .summary(`remove deals that were deleted over ${DAYS_TO_RESTORE} days ago`)
    .description(
      `Remove deals that were deleted over ${DAYS_TO_RESTORE} days ago, with their events and commands, for good.`,
    )
    .option('--dry-run', 'list them and remove nothing')
    .action(
      run(async (settings, { dryRun = false }: { readonly dryRun?: boolean }) => {
        const { purge } = await import('../actions/purge-deals.ts')
        return purge(settings, { dryRun })
      }),
    )
}
