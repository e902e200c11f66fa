import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/** What became of the requests of some clients, each of which makes one deal after the other. */
export interface Load {
  /** The ids that were answered with 201. */
  readonly acknowledged: string[]
  /** Answers of 503 that said when to come back. */
  refused: number
  /** Answers that are neither, and ones that broke off in the middle. */
  readonly wrong: string[]
  truncated: number
  /** Requests whose connection ended before an answer began. */
  unanswered: number
}

interface Plan {
  readonly clients: number
  /** Asked before each request. */
  readonly goesOn: (load: Load) => boolean
}

export async function makeDeals(url: string, { clients, goesOn }: Plan): Promise<Load> {
  const load: Load = { acknowledged: [], refused: 0, wrong: [], truncated: 0, unanswered: 0 }
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (goesOn(load)) await makeDeal(url, agent, load)
    agent.destroy()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return load
}

async function makeDeal(url: string, agent: Agent, load: Load): Promise<void> {
  const answer = await send(`${url}/rest/v1/deals`, agent, JSON.stringify({ name: `Deal ${randomUUID()}`, price: 1 }))
  if (answer === 'unanswered' || answer === 'truncated') {
    load[answer]++
    // Who finds nobody there does not ask in a tight loop.
    await pause(20)
  } else if (answer.status === 201) load.acknowledged.push(JSON.parse(answer.text).id)
  else if (answer.status === 503 && Number(answer.retryAfter) > 0) {
    load.refused++
    // It was told to come back later.
    await pause(20)
  } else load.wrong.push(`${answer.status} ${answer.text}`)
}

type Sent =
  | 'unanswered'
  | 'truncated'
  | { readonly status: number | undefined; readonly retryAfter: string | undefined; readonly text: string }

function send(url: string, agent: Agent, body: string): Promise<Sent> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asking = request(url, { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('error', () => resolve('truncated'))
      answer.on('end', () => resolve({ status: answer.statusCode, retryAfter: answer.headers['retry-after'], text }))
    })
    asking.on('error', () => resolve('unanswered'))
    asking.end(body)
  })
}

/** One deal; a refusal says when to come back. */
export async function makeOne(url: string): Promise<{ readonly status: number; readonly id: string }> {
  const body = JSON.stringify({ name: 'Roof', price: 1 })
  const answer = await fetch(`${url}/rest/v1/deals`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  if (answer.status === 503) assert.ok(Number(answer.headers.get('retry-after')) > 0)
  const { id } = (await answer.json()) as { readonly id: string }
  return { status: answer.status, id }
}

export function storedDeals(file: string): ReadonlySet<string> {
  using db = new DatabaseSync(file, { readOnly: true, timeout: 60_000 })
  return new Set(
    db
      .prepare('SELECT id FROM deals')
      .all()
      .map(({ id }) => String(id)),
  )
}
