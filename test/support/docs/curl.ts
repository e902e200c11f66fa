import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request as send } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

interface Asked {
  readonly args: readonly string[]
  /** The service that is asked where a document says localhost:8080. */
  readonly url: string
  /** Where its files are. */
  readonly folder: string
}

/** As much of curl as the documents use: a machine that runs the tests need not have it. What it would print. */
export async function curl({ args, url, folder }: Asked): Promise<Buffer> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [address = ''] = positionals
  const asked = /^(?:http:\/\/)?(?:localhost|127\.0\.0\.1):8080(.*)$/s.exec(address)
  if (asked === null) throw new Error(`not an address of the service: ${address}`)
  const body = values.data?.join('&')
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const method = values.request ?? (values.head ? 'HEAD' : body === undefined ? 'GET' : 'POST')
    const headers = Object.fromEntries(headersOf(values.header, body))
    const going = send({ hostname, port, method, path: asked[1] || '/', headers, agent: false }, resolve)
    going.on('error', reject)
    going.end(body)
  })
  const content = await buffer(response)
  if (values.output !== undefined && values.output !== '/dev/null') writeFileSync(join(folder, values.output), content)
  const told = (values['write-out'] ?? '')
    .replaceAll('%{http_code}', String(response.statusCode))
    .replaceAll('\\n', '\n')
  return Buffer.concat([
    Buffer.from(values.include || values.head ? headOf(response) : ''),
    values.output === undefined ? content : Buffer.alloc(0),
    Buffer.from(told),
  ])
}

const options = {
  silent: { type: 'boolean', short: 's' },
  globoff: { type: 'boolean', short: 'g' },
  include: { type: 'boolean', short: 'i' },
  head: { type: 'boolean', short: 'I' },
  request: { type: 'string', short: 'X' },
  header: { type: 'string', short: 'H', multiple: true },
  data: { type: 'string', short: 'd', multiple: true },
  output: { type: 'string', short: 'o' },
  'write-out': { type: 'string', short: 'w' },
} as const

function headersOf(said: readonly string[] = [], body: string | undefined): ReadonlyMap<string, string> {
  const headers = new Map([['accept', '*/*']])
  if (body !== undefined) {
    headers.set('content-type', 'application/x-www-form-urlencoded').set('content-length', `${Buffer.byteLength(body)}`)
  }
  for (const each of said) {
    const at = each.indexOf(':')
    headers.set(each.slice(0, at).toLowerCase(), each.slice(at + 1).trim())
  }
  return headers
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}\n`] : []))
  return `HTTP/1.1 ${statusCode} ${statusMessage}\n${lines.join('')}\n`
}
