/** The codes of openid-client and jose for a provider that does not answer, or not correctly. */
const outages: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_MISSING_SERVER_METADATA',
  'ERR_JWKS_TIMEOUT',
  'ERR_JWKS_INVALID',
  // The keys came with a status other than 200, or were not JSON.
  'ERR_JOSE_GENERIC',
])

/** The provider's description lacks something required. */
export class IncompleteProvider extends Error {
  override readonly name = 'IncompleteProvider'
}

/** Whether the provider failed, and not the person or their token. */
export function isOutage(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if (cause instanceof IncompleteProvider) return true
  // The error of fetch for a failed connection.
  if (cause instanceof TypeError && cause.message === 'fetch failed') return true
  return 'code' in cause && outages.has(cause.code)
}
