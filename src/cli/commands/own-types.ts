import type { DefineCommand } from '../command.ts'
import { loaded } from '../command.ts'
import { readAddress } from './listen.ts'

export const defineTypes: DefineCommand = (program, run) => {
  program
    .command('types')
    .summary('write the types of added fields, for the typed client')
    .description(
      'Read the fields that admins added to a service, and write them as a TypeScript type, so that the client knows them: connect<OwnFields>(…).',
    )
    .argument('[file]', 'the file to write (default: standard output)')
    .option('--service <address>', 'the service to ask (default: where HOST and PORT are)', readAddress)
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', help)
    .action(run(loaded(async () => (await import('../actions/write-types.ts')).writeTypes)))
}

const help = `
DEALDESK_KEY is the API key for a service that has users; it is read from the environment, so that nobody else sees it.

Example:
  dealdesk types src/own-fields.ts --force`
