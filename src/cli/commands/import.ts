import { Argument, InvalidArgumentError, Option } from 'commander'
import { dateOrders, decimals } from '../../imports/cells/reading.ts'
import { fieldsIn, layoutOf, type RowLayout } from '../../imports/columns/layout.ts'
import { importFormats } from '../../imports/read/formats.ts'
import { importable } from '../../imports/rows/importable.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { type DefineCommand, loaded } from '../command.ts'
import { type MappedColumn, readMapped } from '../import/map-columns.ts'

export const defineImport: DefineCommand = (program, run, schema) => {
  const resources = importable(schema)
  const things = resources.map(({ plural }) => plural).toSorted()
  const choices = things.join(' or ')
  program
    .command('import')
    .summary(`import ${choices} from CSV, XLSX or NDJSON`)
    .description(
      `Import ${choices}. A row whose id or reference is known changes what it names where it differs, so running it twice is safe if every row has one.`,
    )
    .addArgument(new Argument('<what>', 'what the file holds').choices(things))
    .argument('<file>', 'a .csv, .xlsx or .ndjson file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'csv, xlsx or ndjson, if the file name does not say').choices(importFormats),
    )
    .addOption(
      new Option(
        '--delimiter <character>',
        "what separates the cells of CSV, if it is not recognised: ',', ';', '|', tab or any other",
      ).argParser(readDelimiter),
    )
    .addOption(
      new Option('--decimal <sign>', 'the decimal sign of amounts, where a column allows both').choices(decimals),
    )
    .addOption(new Option('--dates <order>', 'day or month first, where a column allows both').choices(dateOrders))
    .option('--currency <code>', 'the currency of a sign that several currencies share, such as USD for $')
    .addOption(
      new Option('--create <what>', 'create customers that rows name and that do not exist').choices(['missing']),
    )
    .addOption(new Option('--bad-cells <how>', 'leave optional cells empty that cannot be read').choices(['empty']))
    .addOption(
      new Option('--map <heading=field>', 'what a column is: Betrag=price, T€=price*1000, or Notes= for nothing')
        .argParser(readMap)
        .default([], 'none'),
    )
    .option('--values <file>', 'what values mean: JSON such as {"Phase": {"Closed Won": {"status": "completed"}}}')
    .addOption(
      new Option('--default <field=value>', 'what rows have where the file has nothing, such as stage=lead')
        .argParser(readDefault)
        .default([], 'none'),
    )
    .option('--sheet <name>', 'the sheet of a workbook')
    .addOption(new Option('--headings <row>', 'the row of the headings').argParser(readRow))
    .option('--yes', 'import rows that look like things that are there')
    .option('--strict', 'stop at the first wrong row and keep nothing of its batch')
    .option(
      '--rejected <file>',
      'where wrong rows go, with line and reason (default: next to the file, nowhere in a dry run)',
    )
    .option('--dry-run', 'check every row against the database and write nothing')
    .addHelpText('after', helpOn(resources))
    .action(run(loaded(async () => (await import('../actions/import-file.ts')).importFile)))
}

function readDelimiter(given: string): string {
  const delimiter = given === 'tab' || given === '\\t' ? '\t' : given
  if (delimiter.length !== 1 || /["\r\n\ud800-\udfff]/.test(delimiter)) {
    throw new InvalidArgumentError('It must be one character up to U+FFFF, or tab, and no quote.')
  }
  return delimiter
}

function readMap(said: string, before: readonly MappedColumn[]): readonly MappedColumn[] {
  const mapped = readMapped(said)
  if (mapped === undefined) throw new InvalidArgumentError('It must be HEADING=FIELD, HEADING=FIELD*1000 or HEADING=.')
  return [...before, mapped]
}

function readDefault(said: string, before: readonly (readonly [string, string])[]) {
  const at = said.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be FIELD=VALUE.')
  return [...before, [said.slice(0, at).trim(), said.slice(at + 1)] as const]
}

function readRow(said: string): number {
  if (!/^[1-9]\d{0,6}$/.test(said)) throw new InvalidArgumentError('It must be the number of a row.')
  return Number(said)
}

const columnsOf = (layout: RowLayout): string => fieldsIn(layout).join(', ')

function rowsOf(resource: Resource): string {
  const { name, plural, imports } = resource
  const layout = layoutOf(resource)
  if (imports === 'together')
    return `
Columns (CSV header) or members (NDJSON) of ${plural}: ${columnsOf(layout)}.
Only ${layout.oneOf.join(', ')} is required. A row without id gets one.`
  return `
Columns or members of ${plural}: ${columnsOf(layout)}.
A row with the id of a ${name} changes it. The first row with a reference, any text of yours, creates the ${name}, later
ones change it; in a file without references every row is new. Changes are made by the operations that lead to the
row's state, in one commit; a row that none leads to is rejected.`
}

const helpOn = (resources: readonly Resource[]): string => `
${resources.map(rowsOf).join('\n').trimStart()}

Members that the file does not have stay unchanged. What an export has and the service assigns is ignored.

Exits with 0 if every row was imported, 1 if rows were rejected or it failed, 130 if it was interrupted.

Examples:
  dealdesk import customers customers.csv
  dealdesk import customers --format ndjson - < customers.ndjson
  dealdesk import deals --delimiter ';' --dry-run deals.csv
  dealdesk import deals --map 'T€=price*1000' --default stage=lead --values phases.json deals.xlsx`
