import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { closedWithTest } from '../service/closed-with-test.ts'
import { freePort } from '../service/free-port.ts'

export const CLIENT_ID = 'dealdesk'
const CLIENT_SECRET = 'the secret of the tests, which nobody else has'
export const AUDIENCE = 'https://deals.example.com/api'

type Person = { readonly [claim: string]: unknown }

/** A real OpenID provider on loopback. Everybody has an account; whoever is in `people` has claims too. */
export interface TestProvider {
  readonly issuer: string
  /** The settings of a service that trusts it. */
  readonly settings: { readonly [name: string]: string }
  /** Changes the claims of the next ID tokens; the key and header too, if it gives a whole token. */
  bend: ((claims: JWTPayload) => JWTPayload | Promise<string>) | undefined
  /** Signs claims with the key that is valid now. */
  sign(claims: JWTPayload, header?: { readonly [name: string]: unknown }): Promise<string>
  /** An access token for our API, as the provider issues it to a program. */
  accessToken(): Promise<string>
  /** From now on everything is signed with another key, and the one before is no longer published. */
  rotate(): Promise<void>
  /** The provider is gone, and back with `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export async function runProvider(
  serviceUrl: string,
  people: { readonly [login: string]: Person },
): Promise<TestProvider> {
  let key = newKey()
  let server: Server | undefined
  const port = await freePort()
  const provider: TestProvider = {
    get issuer() {
      return `http://127.0.0.1:${port}`
    },
    get settings() {
      return {
        BASE_URL: serviceUrl,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_AUDIENCE: AUDIENCE,
      }
    },
    bend: undefined,
    sign: (claims, header = {}) => sign(key, claims, header),
    async accessToken() {
      const response = await fetch(`${provider.issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`program:${encodeURIComponent(CLIENT_SECRET)}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE, scope: 'deals' }),
      })
      const { access_token } = (await response.json()) as { readonly access_token: string }
      return access_token
    },
    async rotate() {
      await provider.stop()
      key = newKey()
      await provider.start()
    },
    async stop() {
      server?.closeAllConnections()
      await new Promise((resolve) => server?.close(resolve))
    },
    async start() {
      server = createServer((request, response) => {
        // A kept connection would end with the provider.
        handle(request, response.setHeader('connection', 'close'))
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
      const handle = application(provider, key, serviceUrl, people).callback()
    },
    close: closedWithTest(() => provider.stop()),
  }
  await provider.start()
  return provider
}

function newKey(): JWK & { readonly kid: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: randomUUID() }
}

async function sign(
  key: JWK & { readonly kid: string },
  claims: JWTPayload,
  header: { readonly [name: string]: unknown },
): Promise<string> {
  const signer = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header })
  return signer.sign(await importJWK(key, 'RS256'))
}

function application(
  test: TestProvider,
  key: JWK & { readonly kid: string },
  serviceUrl: string,
  people: { readonly [login: string]: Person },
): Provider {
  const provider = new Provider(test.issuer, {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${serviceUrl}/sign-in/callback`],
        post_logout_redirect_uris: [`${serviceUrl}/sign-in`],
      },
      {
        client_id: 'program',
        client_secret: CLIENT_SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name', 'roles', 'locale', 'zoneinfo'],
      email: ['email'],
    },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600, ClientCredentials: 600 },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: async ({
      oidc,
    }: {
      readonly oidc: { client: { clientId: string }; session: { accountId: string } }
    }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    extraTokenClaims: () => ({ roles: ['editor'] }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'deals', audience: AUDIENCE, accessTokenFormat: 'jwt' }),
      },
    },
  })
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) return interact(provider, context)
    await next()
    const answer = context.body as { id_token?: string } | undefined
    if (context.path !== '/token' || answer?.id_token === undefined || test.bend === undefined) return
    const [, payload = ''] = answer.id_token.split('.')
    const bent = await test.bend(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as JWTPayload)
    answer.id_token = typeof bent === 'string' ? bent : await test.sign(bent)
  })
  return provider
}

/** Its page asks for a name alone. */
async function interact(provider: Provider, context: Parameters<Parameters<Provider['use']>[0]>[0]): Promise<void> {
  if (context.method === 'GET') {
    context.status = 200
    context.type = 'text/html'
    context.body = `<!doctype html><title>Provider</title><form method="post"><label>Login <input name="login"></label>
      <button>Continue</button></form>`
    return
  }
  const accountId = new URLSearchParams(await text(context.req)).get('login')
  await provider.interactionFinished(context.req, context.res, { login: { accountId } })
}
