import { Argument, Option } from 'commander'
import { wholeFormats } from '../../representations/representations.ts'
import { type DefineCommand, loaded } from '../command.ts'

export const defineExport: DefineCommand = (program, run, schema) => {
  const exportable = schema.resources.map(({ plural }) => plural).toSorted()
  const choices = exportable.join(' or ')
  program
    .command('export')
    .summary(`export ${choices} as ${wholeFormats.map((name) => name.toUpperCase()).join(' or ')}`)
    .description(`Export ${choices}, all of them or those that match a filter.`)
    .addArgument(new Argument('<what>', 'what to export').choices(exportable))
    .argument('[file]', `a ${wholeFormats.map((name) => `.${name}`).join(' or ')} file; standard output without one`)
    .addOption(
      new Option(
        '--format <format>',
        `${wholeFormats.join(' or ')}, if the file name does not say (default: csv)`,
      ).choices(wholeFormats),
    )
    .option('--filter <query>', 'as on the address, such as "age>=18&country=DE&sort=-age"')
    .option('--force', 'replace an existing file')
    .addHelpText('after', help)
    .action(run(loaded(async () => (await import('../actions/export-collection.ts')).exportCollection)))
}

const help = `
Deleted deals are left out unless the filter has deleted=true.

Examples:
  dealdesk export customers customers.csv
  dealdesk export customers adults.ndjson --filter "age>=18&country=DE"
  dealdesk export deals --format ndjson --filter "status=open" | jq .price`
