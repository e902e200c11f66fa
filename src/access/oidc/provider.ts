import type { Configuration } from 'openid-client'
import type { OidcSettings } from '../../config.ts'
import type { Identity } from '../../model/nouns/user/operations.ts'
import { identityMembers } from '../../model/nouns/user/user.ts'
import { type Claims, isAccessToken } from './claims.ts'
import { IncompleteProvider, isOutage } from './outage.ts'

/** Seconds that the provider may take for an answer. */
const LONGEST_WAIT = 10
/** Milliseconds between two fetches of keys: forged tokens must not cause constant requests. */
const KEYS_EVERY = 1000
/** Seconds by which clocks may differ. */
const CLOCK_SKEW = 5
/** Seconds that the provider's clock may be ahead of ours. */
const LARGEST_LEAD = 60
/**
 * Seconds: at a repeated sign-in the provider asked the person at most this long ago, which leaves time for the change.
 */
const ASKED_WITHIN = 300

/** Signatures with a public key. A shared secret, or none, would let others sign. RFC 8725 §3.1 */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The required members of the provider's description. */
const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** The state of a sign-in at the provider, which the browser keeps. */
export interface SignInTicket {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type ProviderRefusal = {
  readonly refused: 'unavailable' | 'untrusted'
  /** For the log; contains no secret. */
  readonly cause: unknown
}

/** A person at the provider. */
export interface IdentifiedPerson extends Identity {
  readonly claims: Claims
}

/** A person who comes back from the provider. */
export interface ReturnedPerson extends IdentifiedPerson {
  /** When they authenticated there; null if the provider does not say. */
  readonly signedInAt: string | null
}

/** The OpenID provider. It is contacted, and its libraries are loaded, at the first use. decisions/0034 */
export interface IdentityProvider {
  readonly issuer: string
  /** Where to send a person, and the ticket for their return. With `again`, the provider must ask who they are. */
  readonly begin: (
    again?: boolean,
  ) => Promise<{ readonly address: string; readonly ticket: SignInTicket } | ProviderRefusal>
  /** The person who came back; `query` is that of the callback. */
  readonly finish: (query: string, ticket: SignInTicket) => Promise<ReturnedPerson | ProviderRefusal>
  /** The provider's sign-out address; undefined if it has none. */
  readonly signOut: (backTo: string) => Promise<string | undefined>
  /** Whom an access token names. */
  readonly verify: (token: string) => Promise<IdentifiedPerson | ProviderRefusal>
}

export function openProvider(settings: OidcSettings, callback: string, wait = LONGEST_WAIT): IdentityProvider {
  const issuer = settings.issuer.href
  let known: Promise<Known> | undefined

  return {
    issuer,
    begin: (again = false) => attempt(() => begin(again)),
    finish: (query, ticket) => attempt(() => finish(query, ticket)),
    async signOut(backTo) {
      const address = await attempt(() => endSession(backTo))
      return typeof address === 'string' ? address : undefined
    },
    verify: (token) => attempt(() => verifyAccess(token)),
  }

  async function begin(again: boolean) {
    const { client, configuration } = await discovered()
    const ticket = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'openid profile email',
      state: ticket.state,
      nonce: ticket.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(ticket.verifier),
      code_challenge_method: 'S256',
      ...(again && { max_age: String(ASKED_WITHIN) }),
    })
    return { address: address.href, ticket }
  }

  async function finish(query: string, { state, nonce, verifier }: SignInTicket): Promise<ReturnedPerson> {
    const { client, configuration, check } = await discovered()
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${callback}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const { claims } = await check(tokens.id_token ?? '', settings.clientId)
    const { userinfo_endpoint } = configuration.serverMetadata()
    // Many providers put roles and names only there.
    const more =
      userinfo_endpoint === undefined ? {} : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return { issuer, subject: claims.sub, claims: { ...more, ...claims }, signedInAt: signedInAt(claims) }
  }

  async function endSession(backTo: string): Promise<string | undefined> {
    const { client, configuration } = await discovered()
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
    return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: backTo }).href
  }

  async function verifyAccess(token: string): Promise<IdentifiedPerson | ProviderRefusal> {
    if (settings.audience === undefined) return untrusted('OIDC_AUDIENCE is not set')
    const { check } = await discovered()
    const { claims, type } = await check(token, settings.audience)
    if (!isAccessToken(claims, type, settings.clientId)) return untrusted('this is no access token')
    return { issuer, subject: claims.sub, claims }
  }

  /** A failed discovery is tried again with the next request. */
  function discovered(): Promise<Known> {
    known ??= discover(settings, wait).catch((cause) => {
      known = undefined
      throw cause
    })
    return known
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings, wait: number): Promise<Known> {
  const [client, jose] = await Promise.all([import('openid-client'), import('jose')])
  const configuration = await client.discovery(
    issuer,
    clientId,
    { client_secret: clientSecret, [client.clockTolerance]: CLOCK_SKEW },
    clientAuthentication(client, clientSecret),
    {
      timeout: wait,
      ...(issuer.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
    },
  )
  const metadata = configuration.serverMetadata()
  // Only a complete description is remembered: otherwise nobody could sign in until the next start.
  const missing = needed.find((name) => !URL.canParse(metadata[name] ?? ''))
  if (missing !== undefined) throw new IncompleteProvider(`${issuer.href} names no usable ${missing}`)
  const keys = jose.createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
    timeoutDuration: wait * 1000,
    cooldownDuration: KEYS_EVERY,
  })
  return { client, configuration, check }

  async function check(token: string, audience: string) {
    const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
      issuer: metadata.issuer,
      audience,
      algorithms,
      clockTolerance: CLOCK_SKEW,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    // The library only checks the age; a token from the future comes from a wrong clock or a forger.
    if (Number(payload.iat) > Date.now() / 1000 + LARGEST_LEAD) throw new Error('the token was issued in the future')
    const subject = identityMembers.subject.kind.read(payload.sub)
    if ('fault' in subject) throw new Error(`the subject is refused: ${subject.fault.code}`)
    return { claims: { ...payload, sub: subject.value }, type: protectedHeader.typ }
  }
}

/**
 * Only an ID token has it: OpenID Connect Core 1.0 §2, and it is required if `max_age` was sent. Never later than now.
 */
function signedInAt({ auth_time: seconds }: Claims): string | null {
  if (typeof seconds !== 'number' || !(seconds >= 0)) return null
  return new Date(Math.min(seconds * 1000, Date.now())).toISOString()
}

type Client = typeof import('openid-client')

interface Known {
  readonly client: Client
  readonly configuration: Configuration
  /** Checks signature, issuer, audience and time of a token. */
  readonly check: (
    token: string,
    audience: string,
  ) => Promise<{ readonly claims: Claims & { readonly sub: string }; readonly type: string | undefined }>
}

/** OpenID Connect Core 1.0 §9: every provider supports client_secret_basic, unless it says otherwise. */
function clientAuthentication(
  { ClientSecretBasic, ClientSecretPost }: Client,
  secret: string,
): ReturnType<Client['ClientSecretPost']> {
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
    authenticate(secret)(server, ...request)
  }
}

const untrusted = (cause: string): ProviderRefusal => ({ refused: 'untrusted', cause })

/** Errors of the provider or of a token are expected; the result says whether trying again may help. */
async function attempt<T>(work: () => Promise<T>): Promise<T | ProviderRefusal> {
  try {
    return await work()
  } catch (cause) {
    return { refused: isOutage(cause) ? 'unavailable' : 'untrusted', cause }
  }
}
