import { Argument, Option } from 'commander'
import { customer } from '../../model/customer/customer.ts'
import type { ImportOptions } from '../actions/import-file.ts'
import type { DefineCommand } from '../command.ts'
import { importFormats } from '../import/formats.ts'

export const defineImport: DefineCommand = (program, run) => {
  program
    .command('import')
    .summary('import customers from CSV or NDJSON')
    .description(
      'Import customers. A row whose id exists changes that customer where it differs, so running it twice is safe.',
    )
    .addArgument(new Argument('<what>', 'what the file holds').choices(['customers']))
    .argument('<file>', 'a .csv or .ndjson file, or - for standard input')
    .addOption(new Option('--format <format>', 'csv or ndjson, if the file name does not say').choices(importFormats))
    .option('--strict', 'stop at the first wrong row and keep nothing of its batch')
    .option('--rejected <file>', 'where wrong rows go, with line and reason (default: beside the file)')
    .addHelpText('after', help)
    .action(
      run(async (settings, _what: string, file: string, options: ImportOptions) => {
        const { importCustomers } = await import('../actions/import-file.ts')
        return importCustomers(settings, file, options)
      }),
    )
}

const columns = customer.names.filter((name) => name !== 'updatedAt' && name !== 'revision')

const help = `
Columns (CSV header) or members (NDJSON): ${columns.join(', ')}.
Only name is required. A row without id gets one. Members that the file does not have stay unchanged.
updatedAt and revision, as an export has them, are ignored: the service assigns them.

Exits with 0 if every row was imported, 1 if rows were rejected or it failed, 130 if it was interrupted.

Examples:
  dealdesk import customers customers.csv
  dealdesk import customers --format ndjson - < customers.ndjson`
