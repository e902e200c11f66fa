import { parentPort } from 'node:worker_threads'
import { received } from './exact-messages.ts'

export const CLOSE = 'close'
export const CLOSED = 'closed'

/** A thread's work for the store that it serves. */
export interface Serving<Message> {
  hear(message: Message): void
  close(): void
}

/** Serves one store after the other, each until it is closed; the settings are the first message. */
export function serveStores<Settings, Message>(open: (settings: Settings) => Serving<Message>): void {
  let serving: Serving<Message> | undefined
  parentPort?.on('message', (sent: Settings | Message | typeof CLOSE) => {
    const message = received(sent)
    if (serving === undefined) serving = open(message as Settings)
    else if (message !== CLOSE) serving.hear(message as Message)
    else {
      serving.close()
      serving = undefined
      parentPort?.postMessage(CLOSED)
    }
  })
}
