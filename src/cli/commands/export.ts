import { Argument, Option } from 'commander'
import type { Exportable, ExportFormat, ExportOptions } from '../actions/export-collection.ts'
import type { DefineCommand } from '../command.ts'

const exportable: readonly Exportable[] = ['customers', 'deals']
const exportFormats: readonly ExportFormat[] = ['csv', 'ndjson']

export const defineExport: DefineCommand = (program, run) => {
  program
    .command('export')
    .summary('export customers or deals as CSV or NDJSON')
    .description('Export customers or deals, all of them or those that match a filter.')
    .addArgument(new Argument('<what>', 'what to export').choices(exportable))
    .argument('[file]', 'a .csv or .ndjson file; standard output without one')
    .addOption(
      new Option('--format <format>', 'csv or ndjson, if the file name does not say (default: csv)').choices(
        exportFormats,
      ),
    )
    .option('--filter <query>', 'as on the address, such as "age>=18&country=DE&sort=-age"')
    .option('--force', 'replace an existing file')
    .addHelpText('after', help)
    .action(
      run(async (settings, what: Exportable, file: string | undefined, options: ExportOptions) => {
        const { exportCollection } = await import('../actions/export-collection.ts')
        return exportCollection(settings, what, file, options)
      }),
    )
}

const help = `
Deleted deals are left out unless the filter has deleted=true.

Examples:
  dealdesk export customers customers.csv
  dealdesk export customers adults.ndjson --filter "age>=18&country=DE"
  dealdesk export deals --format ndjson --filter "status=open" | jq .price`
