import { isObject } from '../../values/json/is-object.ts'
import type { Knocking } from '../door.ts'
import { INVALID_PARAMS, type RpcError, type RpcRequest } from '../kit/json-rpc.ts'

// https://modelcontextprotocol.io/specification

/** The version without a handshake: each request describes itself, in its headers and in `_meta`. */
export const MODERN = '2026-07-28'
/** The versions that begin with `initialize`, latest first. */
export const handshakes: readonly [string, ...string[]] = ['2025-11-25', '2025-06-18']
export const versions: readonly string[] = [MODERN, ...handshakes]

const HEADER_MISMATCH = -32020
const UNSUPPORTED_VERSION = -32022

const META = 'io.modelcontextprotocol/'

type ReadVersion = { readonly version: string } | { readonly error: RpcError }

/** The version of a request, or the fault of its headers. */
export function readVersion(request: RpcRequest, { headers }: Pick<Knocking, 'headers'>): ReadVersion {
  const meta = metaOf(request)
  const stated = meta[`${META}protocolVersion`]
  const header = headers['mcp-protocol-version']
  if (request.method === 'initialize' && stated === undefined) return { version: handshakes[0] }
  const version = header ?? stated
  // The handshake set it; a client that does not repeat it is served as well.
  if (version === undefined) return { version: handshakes[0] }
  if (!isVersion(version)) return unsupported(version)
  // Notifications need no more: the latest version has none.
  if (request.id === undefined || (version !== MODERN && stated === undefined)) return { version }
  if (header !== stated && stated !== undefined) return mismatch('MCP-Protocol-Version', header, stated)
  const missing = ['protocolVersion', 'clientCapabilities'].find((name) => meta[META + name] === undefined)
  if (missing !== undefined) return invalid(`_meta needs ${META}${missing}.`)
  return mirrorFault(request, headers) ?? { version }
}

const isVersion = (version: unknown): version is string => versions.some((each) => each === version)

function metaOf({ params }: RpcRequest): Readonly<Record<string, unknown>> {
  const meta = isObject(params) ? params._meta : undefined
  return isObject(meta) ? meta : {}
}

/** The value of a request that the header `Mcp-Name` repeats. */
const named: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['resources/read', 'uri'],
])

/** Proxies use the headers, so they must agree with the content. */
function mirrorFault({ method, params }: RpcRequest, headers: Knocking['headers']): ReadVersion | undefined {
  const [sentMethod, sentName] = [headers['mcp-method'], headers['mcp-name']]
  if (sentMethod !== method) return mismatch('Mcp-Method', sentMethod, method)
  const member = named.get(method)
  if (member === undefined) return undefined
  const name = isObject(params) ? params[member] : undefined
  return sentName !== undefined && decoded(String(sentName)) === name ? undefined : mismatch('Mcp-Name', sentName, name)
}

/** Values that are not plain ASCII are sent in Base64. */
function decoded(value: string): string {
  const text = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  return text === undefined ? value : Buffer.from(text, 'base64').toString('utf8')
}

const mismatch = (header: string, sent: unknown, stated: unknown): ReadVersion => ({
  error: {
    code: HEADER_MISMATCH,
    message: `Header mismatch: ${header} is ${sent === undefined ? 'missing' : JSON.stringify(sent)}, the content has ${JSON.stringify(stated) ?? 'none'}`,
  },
})

const unsupported = (requested: unknown): ReadVersion => ({
  error: {
    code: UNSUPPORTED_VERSION,
    message: `Unsupported protocol version; there are ${versions.join(', ')}`,
    data: { supported: versions, requested },
  },
})

const invalid = (message: string): ReadVersion => ({ error: { code: INVALID_PARAMS, message } })
