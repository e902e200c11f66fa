import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'

/** One command, and what its first answer said. */
export interface Write {
  readonly command: string
  readonly action: string
  readonly deal: string
  readonly revision: number
}

/** Creates a deal, pays for it and holds it, over and over, each under an id of its own. */
export interface Client {
  readonly acknowledged: Write[]
  readonly unanswered: number
  writeUntilBroken(url: string): Promise<void>
  askAgain(url: string): Promise<void>
}

interface Asked {
  readonly command: string
  readonly body: { readonly deal?: string; readonly action: string; readonly params: object }
}

export function startClient(name: string): Client {
  const acknowledged: Write[] = []
  let count = 0
  let unanswered = 0
  let pending: Asked | undefined
  let deal: string | undefined

  const next = (): Asked => {
    const command = `${name}-${++count}`
    if (deal === undefined || count % 20 === 1) {
      return { command, body: { action: 'CreateDeal', params: { name: `Deal ${command}`, price: 0.1 } } }
    }
    if (count % 5 === 0) return { command, body: { deal, action: 'HoldDeal', params: { reason: command } } }
    return { command, body: { deal, action: 'RecordDealPayment', params: { amount: 0.1, reference: command } } }
  }

  const ask = async (url: string, agent: Agent): Promise<void> => {
    pending ??= next()
    const { command, body } = pending
    const answer = await put(`${url}/rest/commands/${command}`, body, agent)
    // 503 is an honest no; whether it was done is found out by asking again.
    if (answer.status === 503) return
    assert.ok(answer.status === 201 || answer.status === 200, `${answer.status} ${answer.text}`)
    const shown = JSON.parse(answer.text)
    assert.equal(shown.status, 'applied')
    if (shown.action === 'CreateDeal') deal = shown.deal
    acknowledged.push({ command, action: shown.action, deal: shown.deal, revision: shown.revision })
    pending = undefined
  }

  const until = async (url: string, done: () => boolean): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      while (!done()) await ask(url, agent)
    } finally {
      agent.destroy()
    }
  }

  return {
    acknowledged,
    get unanswered() {
      return unanswered
    },
    async writeUntilBroken(url) {
      try {
        await until(url, () => false)
      } catch (cause) {
        if (!isBrokenConnection(cause)) throw cause
        unanswered++
      }
    },
    askAgain: (url) => until(url, () => pending === undefined),
  }
}

const isBrokenConnection = (cause: unknown): boolean =>
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'].includes((cause as NodeJS.ErrnoException).code ?? '')

function put(url: string, body: object, agent: Agent): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'PUT', agent, headers: { 'content-type': 'application/json' } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', reject)
    })
    asking.on('error', reject)
    asking.end(JSON.stringify(body))
  })
}
