import type { WebhookTestOptions } from '../actions/test-webhook.ts'
import type { DefineCommand } from '../command.ts'
import { readSecret } from './listen.ts'

export const defineWebhook: DefineCommand = (program, run) => {
  const what = 'Receivers of events'
  program
    .command('webhook')
    .summary(what)
    .description(`${what}.`)
    .command('test')
    .summary('send a signed test event, and show it with the answer')
    .description(
      'Send a signed test event to a webhook or to an address, and show the request and the answer. Nothing is recorded. Exits with 1 unless the answer is a 2xx.',
    )
    .argument('<webhook>', 'the id of a webhook, or an address')
    .option('--secret <secret>', 'the signing secret for an address (default: a new one, which is printed)', readSecret)
    .action(
      run(async (settings, target: string, options: Omit<WebhookTestOptions, 'release'>) => {
        const { testWebhook } = await import('../actions/test-webhook.ts')
        return testWebhook(settings, target, { ...options, release: program.version() ?? '' })
      }),
    )
}
