import { webhook } from '../../../model/nouns/webhook/webhook.ts'
import { documentRows } from './field-rows.ts'

/** The rows of webhooks. The position in the feed is not part of the webhook itself. */
export const webhookRows = documentRows(webhook)
