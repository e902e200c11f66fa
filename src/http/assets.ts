import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Answer } from './answer.ts'
import type { Endpoint } from './endpoint.ts'

/** A file that pages load. Its address names its content, so that a browser may keep it for as long as it likes. */
interface Asset {
  readonly endpoint: Endpoint
  /** Behind the base address. */
  readonly path: string
}

export const styleSheet = assetAt('/style.css', 'text/css; charset=utf-8', 'public', 'How pages look')
export const script = assetAt('/app.js', 'text/javascript; charset=utf-8', 'reader', 'What pages do of themselves')

function assetAt(path: string, contentType: string, role: Endpoint['role'], summary: string): Asset {
  const content = readFileSync(new URL(`../pages${path}`, import.meta.url), 'utf8')
  const mark = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const forever = { content, contentType, headers: { 'cache-control': 'public, max-age=31536000, immutable' } }
  const today = { content, contentType, headers: { 'cache-control': 'no-cache' } }
  const handle: Endpoint['handle'] = ({ parameters }): Answer => (parameters.get('v') === mark ? forever : today)
  return {
    endpoint: { method: 'GET', path, role, summary, offers: 'content', parameters: ['v'], handle },
    path: `${path}?v=${mark}`,
  }
}
