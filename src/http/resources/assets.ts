import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { eventTypes } from '../../model/event-types.ts'
import type { Answer } from '../answer.ts'
import type { Endpoint } from '../endpoint.ts'
import { fixedContent } from '../respond/send/fixed-content.ts'

/** A file that pages load. Its address contains a hash of its content, so that browsers may cache it forever. */
interface Asset {
  readonly endpoint: Endpoint
  /** Relative to the base address. */
  readonly path: string
}

/** Strips comments and indentation; the formatter keeps both files in a layout for which that is safe. */
const squeezed = {
  'text/css': (css: string): string =>
    css
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/\n\s*/g, '')
      .replace(/(?<=:) | (?=\{)|;(?=\})/g, ''),
  'text/javascript': (js: string): string => js.replace(/^\s*\/\/.*$/gm, '').replace(/\n\s+/g, '\n'),
}

export const styleSheet = assetAt('/style.css', 'text/css', 'public', 'How pages look')
export const script = assetAt('/app.js', 'text/javascript', 'reader', 'What pages do of themselves')

function assetAt(path: string, type: keyof typeof squeezed, role: Endpoint['role'], summary: string): Asset {
  const contentType = `${type}; charset=utf-8`
  const source = readFileSync(new URL(`../../views/assets${path}`, import.meta.url), 'utf8')
  const content = squeezed[type](source).replace('EVENT TYPES', eventTypes.join(' '))
  const mark = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const fixed = fixedContent(content)
  const forever = { fixed, contentType, headers: { 'cache-control': 'public, max-age=31536000, immutable' } }
  const today = { fixed, contentType, headers: { 'cache-control': 'no-cache' } }
  const handle: Endpoint['handle'] = ({ parameters }): Answer => (parameters.get('v') === mark ? forever : today)
  return {
    endpoint: {
      method: 'GET',
      ...(role === 'public' && { inSetUp: true }),
      path,
      role,
      summary,
      offers: 'content',
      pagesOnly: true,
      types: [type, ...(type === 'text/javascript' ? ['application/javascript'] : [])],
      parameters: ['v'],
      handle,
    },
    path: `${path}?v=${mark}`,
  }
}
