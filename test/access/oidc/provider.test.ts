import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { type JWK, type JWTPayload, SignJWT } from 'jose'
import { type IdentityProvider, openProvider } from '../../../src/access/oidc/provider.ts'
import { readSettings } from '../../../src/config.ts'
import { AUDIENCE, CLIENT_ID, runProvider, type TestProvider } from '../../support/oidc/run-provider.ts'
import { signInAt } from '../../support/oidc/sign-in-at.ts'

const service = 'http://127.0.0.1:8080'
let provider: TestProvider
let trusted: IdentityProvider

before(async () => {
  provider = await runProvider(service, { ann: { preferred_username: 'ann', name: 'Ann Lee', roles: ['editor'] } })
  trusted = opened(provider.settings)
})
after(() => provider.close())

suite('a sign-in at the provider', () => {
  test('tells who came back', async () => {
    const found = await signIn('ann')
    assert.ok('claims' in found, String('cause' in found && found.cause))
    assert.deepEqual([found.issuer, found.subject], [`${provider.issuer}/`, 'ann'])
    assert.deepEqual([found.claims.name, found.claims.roles], ['Ann Lee', ['editor']])
  })

  test('uses a challenge, a state and a nonce, new each time', async () => {
    const [one, other] = [await begun(), await begun()]
    const sent = new URL(one.address).searchParams
    assert.equal(sent.get('code_challenge_method'), 'S256')
    assert.equal(sent.get('state'), one.ticket.state)
    assert.equal(sent.get('nonce'), one.ticket.nonce)
    for (const name of ['state', 'nonce', 'verifier'] as const) assert.notEqual(one.ticket[name], other.ticket[name])
  })

  for (const name of ['state', 'nonce', 'verifier'] as const) {
    test(`is refused with another ${name}`, async () => {
      const { address, ticket } = await begun()
      const query = await signInAt(address, 'ann')
      const other = (await begun()).ticket[name]
      await refused(trusted.finish(query, { ...ticket, [name]: other }))
    })
  }

  test('is refused without a state, with a made-up code, and when it was cancelled there', async () => {
    const { address, ticket } = await begun()
    const query = new URLSearchParams(await signInAt(address, 'ann'))
    const iss = query.get('iss') ?? ''
    await refused(trusted.finish(new URLSearchParams({ code: query.get('code') ?? '', iss }).toString(), ticket))
    await refused(trusted.finish(new URLSearchParams({ code: 'x', state: ticket.state, iss }).toString(), ticket))
    await refused(trusted.finish(`error=access_denied&state=${ticket.state}&iss=${encodeURIComponent(iss)}`, ticket))
    await refused(trusted.finish('', ticket))
  })

  test('works once', async () => {
    const { address, ticket } = await begun()
    const query = await signInAt(address, 'ann')
    assert.ok('claims' in (await trusted.finish(query, ticket)))
    await refused(trusted.finish(query, ticket))
  })

  for (const [what, bend] of bentTokens()) {
    test(`is refused with an ID token ${what}`, async () => {
      provider.bend = bend
      try {
        await refused(signIn('ann'))
      } finally {
        provider.bend = undefined
      }
    })
  }
})

suite('an access token', () => {
  test('of the provider names its subject', async () => {
    const found = await trusted.verify(await provider.accessToken())
    assert.ok('claims' in found, String('cause' in found && found.cause))
    assert.deepEqual([found.issuer, found.subject], [`${provider.issuer}/`, 'program'])
  })

  test('without a type of its own counts if it has a scope', async () => {
    assert.ok('claims' in (await trusted.verify(await provider.sign({ ...claims(), scope: 'deals' }))))
    await refused(trusted.verify(await provider.sign(claims())))
  })

  test('is not needed: without OIDC_AUDIENCE none is accepted', async () => {
    const { OIDC_AUDIENCE: _, ...settings } = provider.settings
    await refused(opened(settings).verify(await provider.accessToken()))
  })

  test('is never an ID token', async () => {
    const id = { ...claims(), aud: CLIENT_ID, nonce: 'x', at_hash: 'x' }
    await refused(trusted.verify(await provider.sign(id)))
    await refused(trusted.verify(await provider.sign({ ...id, aud: [CLIENT_ID, AUDIENCE] })))
    await refused(trusted.verify(await provider.sign({ ...id, aud: [CLIENT_ID, AUDIENCE], scope: 'openid' })))
  })

  const type = { typ: 'at+jwt' }
  const wrong: readonly (readonly [string, () => Promise<string>])[] = [
    ['of another issuer', () => provider.sign({ ...claims(), iss: 'https://other.example.com' }, type)],
    ['for another audience', () => provider.sign({ ...claims(), aud: 'https://other.example.com' }, type)],
    ['that has expired', () => provider.sign({ ...claims(), exp: seconds() - 60 }, type)],
    ['that is not valid yet', () => provider.sign({ ...claims(), nbf: seconds() + 60 }, type)],
    ['without an end', () => provider.sign({ ...claims(), exp: undefined } as unknown as JWTPayload, type)],
    ['whose subject no store can keep', () => provider.sign({ ...claims(), sub: 'a\0b' }, type)],
    ['whose subject is half a character', () => provider.sign({ ...claims(), sub: '\ud800' }, type)],
    ['whose subject is longer than allowed', () => provider.sign({ ...claims(), sub: 'x'.repeat(256) }, type)],
    ['without a subject', () => provider.sign({ ...claims(), sub: undefined } as unknown as JWTPayload, type)],
    ['with a forged signature', () => forged(claims(), type)],
    ['without a signature', async () => unsigned(claims(), type)],
    ['signed with the public key as a secret', () => confused(claims(), type)],
    ['that brings its own key', () => selfMade(claims(), type)],
    ['that is cut off', async () => (await provider.accessToken()).slice(0, -4)],
    ['that is no token', async () => 'a.b.c'],
  ]
  for (const [what, make] of wrong) {
    test(`is refused ${what}`, async () => {
      await refused(trusted.verify(await make()))
    })
  }
})

suite('the provider', () => {
  test('may change its keys', async () => {
    const before = await provider.accessToken()
    assert.ok('claims' in (await trusted.verify(before)))
    await provider.rotate()
    // Keys are looked for at most once a second.
    const found = await until(async () => trusted.verify(await provider.accessToken()))
    assert.equal(found.subject, 'program')
    await refused(trusted.verify(before))
    assert.ok('claims' in (await signIn('ann')))
  })

  test('that is away is told apart from a refusal, and comes back', async () => {
    const { address, ticket } = await begun()
    const query = await signInAt(address, 'ann')
    const fresh = opened(provider.settings)
    await provider.stop()
    assert.partialDeepStrictEqual(await trusted.finish(query, ticket), { refused: 'unavailable' })
    assert.partialDeepStrictEqual(await fresh.begin(), { refused: 'unavailable' })
    assert.equal(await fresh.signOut(service), undefined)
    await provider.start()
    assert.ok('address' in (await fresh.begin()))
  })

  test('that is another than it says is not trusted', async () => {
    const wrong = opened({ ...provider.settings, OIDC_ISSUER: provider.issuer.replace('127.0.0.1', 'localhost') })
    assert.ok('refused' in (await wrong.begin()))
  })

  test('that described itself in part is asked again', async () => {
    const response = await fetch(`${provider.issuer}/.well-known/openid-configuration`)
    const whole = (await response.json()) as object
    let told: { readonly [name: string]: unknown } = {}
    const server = createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    const asked = opened({ ...provider.settings, OIDC_ISSUER: issuer })
    try {
      for (const missing of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
        told = { ...whole, issuer, [missing]: undefined }
        assert.partialDeepStrictEqual(await asked.begin(), { refused: 'unavailable' }, missing)
      }
      told = { ...whole, issuer }
      assert.ok('address' in (await asked.begin()))
    } finally {
      server.close()
    }
  })

  test('that accepts and never answers is given up', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as { port: number }
    try {
      const found = await opened({ ...provider.settings, OIDC_ISSUER: `http://127.0.0.1:${port}` }, 0.2).begin()
      assert.partialDeepStrictEqual(found, { refused: 'unavailable' })
    } finally {
      silent.close()
    }
  })

  test('is where people sign out too', async () => {
    const address = new URL((await trusted.signOut(`${service}/sign-in`)) ?? '')
    assert.equal(address.origin, provider.issuer)
    assert.equal(address.searchParams.get('post_logout_redirect_uri'), `${service}/sign-in`)
    assert.equal(address.searchParams.get('client_id'), CLIENT_ID)
  })
})

function opened(environment: { readonly [name: string]: string }, wait?: number): IdentityProvider {
  const { oidc, baseUrl } = readSettings(environment)
  assert.ok(oidc)
  return openProvider(oidc, `${baseUrl}/sign-in/callback`, wait)
}

async function begun() {
  const begun = await trusted.begin()
  assert.ok('ticket' in begun, String('cause' in begun && begun.cause))
  return begun
}

async function signIn(login: string) {
  const { address, ticket } = await begun()
  return trusted.finish(await signInAt(address, login), ticket)
}

async function refused(found: Promise<object>): Promise<void> {
  assert.partialDeepStrictEqual(await found, { refused: 'untrusted' })
}

async function until<T extends object>(look: () => Promise<T>): Promise<Extract<T, { readonly subject: string }>> {
  for (;;) {
    const found = await look()
    if ('subject' in found) return found as Extract<T, { readonly subject: string }>
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000)

const claims = (): JWTPayload => ({
  iss: provider.issuer,
  sub: 'ann',
  aud: AUDIENCE,
  iat: seconds(),
  exp: seconds() + 60,
})

function bentTokens(): readonly (readonly [string, NonNullable<TestProvider['bend']>])[] {
  return [
    ['of another issuer', (id) => ({ ...id, iss: 'https://other.example.com' })],
    ['for another client', (id) => ({ ...id, aud: 'another-client' })],
    ['with another nonce', (id) => ({ ...id, nonce: 'another' })],
    ['that has expired', (id) => ({ ...id, iat: seconds() - 120, exp: seconds() - 60 })],
    ['with a forged signature', (id) => forged(id, {})],
    ['without a signature', async (id) => unsigned(id, {})],
    ['signed with the public key as a secret', (id) => confused(id, {})],
  ]
}

type Header = { readonly [name: string]: string }

/** Another key under the right id. */
async function forged(payload: JWTPayload, header: Header): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', kid: (await publicKey()).kid, ...header })
    .sign(privateKey)
}

async function selfMade(payload: JWTPayload, header: Header): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', jwk, ...header }).sign(privateKey)
}

function unsigned(payload: JWTPayload, header: Header): string {
  return `${encoded({ alg: 'none', ...header })}.${encoded(payload)}.`
}

/** The classic confusion: the public key, which everybody has, as the secret of an HMAC. */
async function confused(payload: JWTPayload, header: Header): Promise<string> {
  const key = await publicKey()
  const pem = createPublicKey({ key, format: 'jwk' }).export({ format: 'pem', type: 'spki' })
  const signed = `${encoded({ alg: 'HS256', kid: key.kid, ...header })}.${encoded(payload)}`
  return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`
}

async function publicKey(): Promise<JWK & { readonly kid: string }> {
  const response = await fetch(`${provider.issuer}/jwks`)
  const { keys } = (await response.json()) as { readonly keys: readonly (JWK & { readonly kid: string })[] }
  assert.ok(keys[0])
  return keys[0]
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
