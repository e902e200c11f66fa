import { Argument, Option } from 'commander'
import type { DefineCommand } from '../command.ts'
import { type ImportFormat, importFormats } from '../import/formats.ts'

export const defineImport: DefineCommand = (program, run) => {
  program
    .command('import')
    .summary('put customers in, from CSV or NDJSON')
    .description(
      'Put customers in. A customer whose id exists is changed where it differs, so running it twice is safe.',
    )
    .addArgument(new Argument('<what>', 'what the file holds').choices(['customers']))
    .argument('<file>', 'a .csv or .ndjson file, or - for standard input')
    .addOption(new Option('--format <format>', 'what the file is, where its name does not say').choices(importFormats))
    .option('--strict', 'stop at the first wrong row, before anything of its batch is kept')
    .option('--rejected <file>', 'where wrong rows go, with line and reason (default: beside the file)')
    .addHelpText('after', help)
    .action(
      run(async (settings, _what: string, file: string, options: ImportOptions) => {
        const { importCustomers } = await import('../import-customers.ts')
        return importCustomers(settings, file, options)
      }),
    )
}

export interface ImportOptions {
  readonly format?: ImportFormat
  readonly strict?: boolean
  readonly rejected?: string
}

const help = `
Columns (CSV header) or members (NDJSON): id, name, email, age, children, country, createdAt.
Only name must be there. A row without id gets one. Of a customer that exists, what the file does not have stays.
updatedAt and revision, as an export has them, are passed over: they are the service's.

Ends with 0 when every row is in, 1 when rows were rejected or it failed, 130 when it was interrupted.

Examples:
  dealdesk import customers customers.csv
  dealdesk import customers --format ndjson - < customers.ndjson`
