import { webhook } from '../../model/webhook/webhook.ts'
import { managedRows } from './managed.ts'

/** A webhook as it is kept. Its place in the feed is not of the webhook itself. */
export const webhookRows = managedRows(webhook)
