import { randomBytes } from 'node:crypto'
import type { Settings } from '../../config.ts'
import { sendTestEvent, type TestTarget } from '../../events/test-event.ts'
import { tell } from '../../languages/tell.ts'
import { writeSecret } from '../../model/nouns/webhook/signature.ts'
import { type StoredWebhook, secretsAt, webhookUrl } from '../../model/nouns/webhook/webhook.ts'
import { openStore, requireDatabase } from '../../store/open.ts'
import { exitCodes, Failure } from '../failure.ts'
import { shownReply } from './listen.ts'

export interface WebhookTestOptions {
  readonly secret?: string
  readonly release: string
}

/** Sends a test event; returns the exit code. */
export async function testWebhook(settings: Settings, given: string, options: WebhookTestOptions): Promise<number> {
  const target = given.includes('://') ? addressed(given, options) : await known(settings, given)
  const { reply } = await sendTestEvent(target, given, `Dealdesk/${options.release}`, ({ headers, body }) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
    process.stdout.write(`POST ${target.url}\n${lines.join('')}\n${body}\n\n`)
  })
  const answer = 'answer' in reply && reply.answer !== '' ? `${reply.answer}\n` : ''
  process.stdout.write(`${shownReply(reply)}\n${answer}`)
  return 'status' in reply && reply.status >= 200 && reply.status < 300 ? exitCodes.fine : exitCodes.failed
}

function addressed(url: string, { secret }: WebhookTestOptions): TestTarget {
  const read = webhookUrl.readText(url)
  if ('fault' in read) throw new Failure(`${url} ${tell(read.fault)}`)
  const signing = secret ?? writeSecret(randomBytes(32))
  if (secret === undefined) process.stderr.write(`signed with ${signing}\n`)
  return { url: read.value, secrets: [signing], allowPrivate: true }
}

/** As the service would call it, which may refuse private addresses. */
async function known(settings: Settings, id: string): Promise<TestTarget> {
  requireDatabase(settings)
  const webhook = await stored(settings, id)
  if (webhook === undefined) throw new Failure(`there is no webhook ${id}`)
  const secrets = secretsAt(webhook, new Date().toISOString())
  return { url: webhook.url, secrets, allowPrivate: settings.webhookAllowPrivate }
}

async function stored(settings: Settings, id: string): Promise<StoredWebhook | undefined> {
  const store = await openStore(settings, (cause) => {
    throw cause
  })
  try {
    return await store.webhooks.find(id)
  } finally {
    await store.close()
  }
}
