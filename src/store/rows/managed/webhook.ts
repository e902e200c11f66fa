import { webhook } from '../../../model/webhook/webhook.ts'
import { managedRows } from './managed.ts'

/** The rows of webhooks. The position in the feed is not part of the webhook itself. */
export const webhookRows = managedRows(webhook)
