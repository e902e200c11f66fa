import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hostile } from './multipliers/multiplier.ts'

export interface Answered {
  readonly status: number
  readonly text: string
}

export interface Sender {
  readonly url: string
  readonly key: string
}

/** Sends bodies with their length, or in chunks without. */
export type Framing = 'announced' | 'chunked'

/** What a refused body leaves on its connection is no request. */
const agent = new Agent({ keepAlive: false })

/** The answer; of a file, what its import came to: one that is ready and has few rows is also run. */
export async function sendHostile(hostile: Hostile, sender: Sender, framing: Framing): Promise<Answered> {
  const answered = await send(hostile, sender, framing)
  const [address] = /\/imports\/[\w-]+/.exec(answered.location) ?? []
  if (answered.status !== 201 || address === undefined) return answered
  const ready = await settled(address, sender)
  const { stage, inserted } = JSON.parse(ready.text) as { readonly stage: string; readonly inserted: number }
  if (stage !== 'ready' || inserted > FEW) return ready
  const run = await send({ method: 'POST', path: `${address}/runs` }, sender, framing)
  return run.status === 202 ? settled(address, sender) : run
}

const FEW = 1000

async function settled(address: string, sender: Sender): Promise<Answered> {
  for (;;) {
    const found = await send({ method: 'GET', path: address }, sender, 'announced')
    if (found.status !== 200 || JSON.parse(found.text).isRunning !== true) return found
    await pause(20)
  }
}

function send(
  { method, path, headers = {}, content }: Hostile,
  { url, key }: Sender,
  framing: Framing,
): Promise<Answered & { readonly location: string }> {
  return new Promise((resolve, reject) => {
    const length = content !== undefined && framing === 'announced' && { 'content-length': Buffer.byteLength(content) }
    const all = { authorization: `Bearer ${key}`, ...headers, ...length }
    const asked = request(url + path, { method, headers: all, agent }, (answer) => {
      let text = ''
      const done = (): void =>
        resolve({ status: answer.statusCode ?? 0, text, location: String(answer.headers.location ?? '') })
      answer.setEncoding('utf8').on('data', (some: string) => {
        if (text.length < 100_000) text += some
      })
      answer.once('end', done).once('close', done)
    })
    // One that is refused while it is sent is answered nevertheless.
    asked.on('error', (cause) => setTimeout(reject, 1000, cause))
    if (content === undefined) asked.end()
    else if (framing === 'announced') asked.end(content)
    else {
      asked.write(content)
      asked.end()
    }
  })
}
