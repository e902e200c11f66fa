import type { DealEvent } from '../../model/event.ts'

/**
 * What an entry of the history and an event have in common, as JSON members without braces:
 * a store keeps this text once and both documents are put together around it.
 */
export function eventBody({ operation, params, deal, actor, form, commandId }: DealEvent): string {
  const command = commandId === null ? '' : `,"commandId":${JSON.stringify(commandId)}`
  return `"operation":"${operation}","params":${JSON.stringify(params)},"revision":${deal.revision},"actor":${JSON.stringify(
    actor,
  )},"form":"${form}"${command}`
}

export const entryJson = (body: string, type: string, action: string, at: string): string =>
  `{${body},"action":"${action}","type":"${type}","at":"${at}"}`
