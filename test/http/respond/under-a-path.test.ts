import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { runService } from '../../support/service/running-service.ts'

// RFC 8615: at the root of the host, whatever stands before all else.
const CATALOG = '/.well-known/api-catalog'

/** What a proxy does that serves other things too: it strips the prefix, and knows one address of ours outside of it. */
async function stripPrefix(prefix: string, target: () => string) {
  const outside: string[] = []
  const proxy = createServer((asked, answer) => {
    const path = asked.url ?? ''
    if (!path.startsWith(`${prefix}/`) && path !== CATALOG) {
      outside.push(path)
      return answer.writeHead(404).end()
    }
    const { hostname, port } = new URL(target())
    const { method, headers } = asked
    const passing = request(
      { hostname, port, method, headers, path: path.slice(path === CATALOG ? 0 : prefix.length) },
      (found) => {
        answer.writeHead(found.statusCode ?? 500, found.headers)
        found.pipe(answer)
      },
    )
    asked.pipe(passing)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}${prefix}`,
    outside,
    close() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** Every address that an answer leads to. */
function linksOf(answer: Response, text: string): readonly string[] {
  const head = [...(answer.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(([, link = '']) => link)
  const location = [answer.headers.get('location'), answer.headers.get('content-location')].filter((at) => at !== null)
  const type = answer.headers.get('content-type') ?? ''
  const markup = type.startsWith('text/html') ? text.matchAll(/ (?:href|src|action)="([^"]*)"/g) : []
  // What an event calls its source is no address but a name.
  const data = type.startsWith('application/json') ? text.matchAll(/(?<!"source":)"((?:\/|http:\/\/127)[^"{]*)"/g) : []
  const body = [...markup, ...data].map(([, link = '']) => link.replaceAll('&amp;', '&'))
  return [...head, ...location, ...body].filter((link) => !/^(#|\?|data:|mailto:)/.test(link))
}

suite('under a BASE_URL with a path, behind a proxy that strips it,', () => {
  test('every link of the service leads back to it', async () => {
    let url = ''
    const proxy = await stripPrefix('/our/desk', () => url)
    const service = await runService({ BASE_URL: proxy.base })
    url = service.url
    try {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'Roof', price: 1 })
      const made = await fetch(`${proxy.base}/rest/v1/deals`, { method: 'POST', headers, body })
      assert.equal(made.status, 201)
      const deal = made.headers.get('location') ?? ''
      assert.ok(deal.startsWith(`${proxy.base}/rest/v1/deals/`), deal)

      const foreign: string[] = []
      const lost: string[] = []
      const seen = new Set<string>()
      const visit = async (address: string, accept: string): Promise<void> => {
        const { origin, pathname } = new URL(address)
        const place = `${accept} ${pathname}`
        // The document's paths are relative to its server.
        if (seen.has(place) || pathname.endsWith('/openapi.json')) return
        seen.add(place)
        const answer = await fetch(address, { headers: { accept } })
        const text = await answer.text()
        // An address that only takes a form is no page.
        if (answer.status === 404) lost.push(place)
        for (const link of linksOf(answer, text)) {
          const next = new URL(link, address)
          if (next.origin !== origin) continue
          const isOurs = next.href.startsWith(`${proxy.base}/`) || next.href === proxy.base || next.pathname === CATALOG
          if (!isOurs) foreign.push(`${place}: ${link}`)
          else if (seen.size < 200) await visit(next.href, accept)
        }
      }
      for (const accept of ['text/html', 'application/json']) {
        for (const start of ['/', '/docs', '/events', '/rest', '/query', '/problems']) {
          await visit(proxy.base + start, accept)
        }
        await visit(deal, accept)
      }
      assert.deepEqual([foreign, proxy.outside], [[], []])
      // Named queries answer 404 where they find nothing.
      assert.deepEqual(
        lost.filter((place) => !place.includes('/query/')),
        [],
      )
      assert.ok(seen.size > 60, `${seen.size}`)
    } finally {
      await service.close()
      proxy.close()
    }
  })
})
