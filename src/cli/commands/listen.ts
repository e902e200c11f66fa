import { InvalidArgumentError } from 'commander'
import { tell } from '../../languages/tell.ts'
import { typesOf, webhookTypes, webhookUrl } from '../../model/nouns/webhook/webhook.ts'
import type { FollowOptions } from '../actions/listen.ts'
import type { DefineCommand } from '../command.ts'

export const defineListen: DefineCommand = (program, run, schema) => {
  const readTypes = (given: string): readonly string[] => {
    const read = webhookTypes(schema).readText(given)
    if ('fault' in read) throw new InvalidArgumentError(`It ${tell(read.fault)}.`)
    return typesOf({ types: read.value }, schema) ?? []
  }
  program
    .command('listen')
    .summary('send the events of a service to a local address, signed as webhooks are')
    .description(
      'Follow the events of a service and post each to an address, such as a receiver of webhooks that is being written, signed as webhooks are. Nothing is subscribed and nothing is sent again.',
    )
    .argument('<url>', 'where events go, such as http://localhost:3000/hooks', readAddress)
    .option('--service <address>', 'the service to follow (default: where HOST and PORT are)', readAddress)
    .option('--types <types>', 'only these, separated by commas, such as deal.held,task.*', readTypes)
    .option('--after <sequence>', 'begin after this event instead of now')
    .option(
      '--secret <secret>',
      'the signing secret, beginning with whsec_ (default: a new one, which is printed)',
      readSecret,
    )
    .addHelpText('after', help)
    .action(
      run(async (settings, url: string, options: FollowOptions) => {
        const { listen } = await import('../actions/listen.ts')
        return listen(settings, url, { ...options, release: program.version() ?? '' })
      }),
    )
}

export function readAddress(given: string): string {
  const read = webhookUrl.readText(given)
  if ('fault' in read) throw new InvalidArgumentError(`It ${tell(read.fault)}.`)
  return read.value
}

export function readSecret(given: string): string {
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(given)) return given
  throw new InvalidArgumentError('It must begin with whsec_, as the secret of a webhook does.')
}

const help = `
DEALDESK_KEY is the API key for a service that has users; it is read from the environment, so that nobody else sees it.

Example:
  dealdesk listen http://localhost:3000/hooks --types deal.held`
