import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request as send } from 'node:http'
import { parseArgs } from 'node:util'

// As much of curl as the documents use: a machine that runs the tests need not have it.
// Where a document says localhost:8080, the service of the test is asked, at DEALDESK_URL.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    globoff: { type: 'boolean', short: 'g' },
    'no-buffer': { type: 'boolean', short: 'N' },
    include: { type: 'boolean', short: 'i' },
    head: { type: 'boolean', short: 'I' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd', multiple: true },
    json: { type: 'string' },
    user: { type: 'string', short: 'u' },
    output: { type: 'string', short: 'o' },
    'write-out': { type: 'string', short: 'w' },
    'max-time': { type: 'string', short: 'm' },
  },
})

const [address = ''] = positionals
const asked = /^(?:http:\/\/)?(?:localhost|127\.0\.0\.1):8080(.*)$/s.exec(address)
if (asked === null) throw new Error(`not an address of the service: ${address}`)
const { hostname, port } = new URL(process.env.DEALDESK_URL ?? '')
const body = values.json ?? values.data?.join('&')
const headers = new Map<string, string>([
  ['accept', values.json === undefined ? '*/*' : 'application/json'],
  ...(values.json === undefined ? [] : [['content-type', 'application/json'] as const]),
  ...(values.data === undefined ? [] : [['content-type', 'application/x-www-form-urlencoded'] as const]),
  ...(body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))] as const]),
  ...(values.user === undefined ? [] : [['authorization', `Basic ${btoa(values.user)}`] as const]),
])
for (const header of values.header ?? []) {
  const at = header.indexOf(':')
  headers.set(header.slice(0, at).toLowerCase(), header.slice(at + 1).trim())
}

const method = values.request ?? (values.head ? 'HEAD' : body === undefined ? 'GET' : 'POST')
const path = asked[1] || '/'
const going = send({ hostname, port, method, path, headers: Object.fromEntries(headers), agent: false }, show)
going.end(body)
if (values['max-time'] !== undefined) setTimeout(() => process.exit(28), Number(values['max-time']) * 1000).unref()

async function show(response: IncomingMessage): Promise<void> {
  if (values.include || values.head) {
    process.stdout.write(`HTTP/1.1 ${response.statusCode} ${response.statusMessage}\n`)
    const raw = response.rawHeaders
    for (let at = 0; at < raw.length; at += 2) process.stdout.write(`${raw[at]}: ${raw[at + 1]}\n`)
    process.stdout.write('\n')
  }
  const chunks: Buffer[] = []
  for await (const chunk of response) {
    if (values.output === undefined) process.stdout.write(chunk)
    else chunks.push(chunk)
  }
  if (values.output !== undefined && values.output !== '/dev/null') writeFileSync(values.output, Buffer.concat(chunks))
  process.stdout.write(
    (values['write-out'] ?? '').replaceAll('%{http_code}', String(response.statusCode)).replaceAll('\\n', '\n'),
  )
}
