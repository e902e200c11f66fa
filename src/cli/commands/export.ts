import { Argument, Option } from 'commander'
import type { DefineCommand } from '../command.ts'

export const exportable = ['customers', 'deals'] as const
export const exportFormats = ['csv', 'ndjson'] as const

export interface ExportOptions {
  readonly format?: (typeof exportFormats)[number]
  readonly filter?: string
  readonly force?: boolean
}

export const defineExport: DefineCommand = (program, run) => {
  program
    .command('export')
    .summary('take customers or deals out, as CSV or NDJSON')
    .description('Take customers or deals out, all of them or those that a filter finds.')
    .addArgument(new Argument('<what>', 'what to take out').choices(exportable))
    .argument('[file]', 'a .csv or .ndjson file; standard output without one')
    .addOption(
      new Option('--format <format>', 'csv or ndjson, where no name says (default: csv)').choices(exportFormats),
    )
    .option('--filter <query>', 'as on the address, such as "age>=18&country=DE&sort=-age"')
    .option('--force', 'replace a file that is there')
    .addHelpText('after', help)
    .action(
      run(async (settings, what: (typeof exportable)[number], file: string | undefined, options: ExportOptions) => {
        const { exportCollection } = await import('../export.ts')
        return exportCollection(settings, what, file, options)
      }),
    )
}

const help = `
Deleted deals are left out unless the filter says deleted=true.

Examples:
  dealdesk export customers customers.csv
  dealdesk export customers adults.ndjson --filter "age>=18&country=DE"
  dealdesk export deals --format ndjson --filter "status=open" | jq .price`
