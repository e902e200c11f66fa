import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addUser } from '../../../src/access/as-operator.ts'
import type { TestProvider } from '../../support/oidc/run-provider.ts'
import { runWithProvider } from '../../support/oidc/run-with-provider.ts'
import { signInAt } from '../../support/oidc/sign-in-at.ts'
import { basic } from '../../support/service/closed-service.ts'
import { type Answered, runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
let provider: TestProvider
const html = { accept: 'text/html' }

before(async () => {
  const running = await runWithProvider({
    ann: { preferred_username: 'ann', name: 'Ann Lee', roles: ['editor'] },
    eve: { preferred_username: 'head', roles: ['admin'] },
    nobody: { preferred_username: 'nobody' },
  })
  service = running.service
  provider = running.provider
  await addUser(service.store, { name: 'head', role: 'admin', password: 'password of head' })
})
after(async () => {
  await service.close()
  await provider.close()
})

const cookieIn = (answer: Answered): string => String(answer.headers['set-cookie']?.[0]).split(';')[0] ?? ''

/** Leaves for the provider; gives where to, and the cookie that must come back. */
async function leave(to = '', session = {}) {
  const left = await service.request('GET', `/sign-in/provider${to}`, { headers: { ...html, ...session } })
  assert.equal(left.status, 303, left.text)
  return { address: String(left.headers.location), cookie: cookieIn(left) }
}

const comeBack = (query: string, cookie: string) =>
  service.request('GET', `/sign-in/callback?${query}`, { headers: { ...html, cookie } })

async function signIn(login: string, to?: string, session?: { readonly cookie: string }) {
  const { address, cookie } = await leave(to, session)
  return comeBack(await signInAt(address, login), cookie)
}

const keptIn = ({ text }: Answered): string =>
  (/name="kept" value="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** A deal that was entered when the session had ended, as the sign-in page keeps it. */
async function endedForm(name: string) {
  const headers = { ...html, cookie: `dealdesk_session=${'b'.repeat(43)}` }
  const body = new URLSearchParams({ name, price: '7' })
  const sent = await service.request('POST', '/rest/v1/deals/', { headers, body })
  assert.equal(sent.status, 401)
  assert.match(sent.text, /formaction="[^"]*\/sign-in\/provider"/)
  return { kept: keptIn(sent) }
}

async function leaveWithForm(name: string) {
  const { kept } = await endedForm(name)
  const left = await service.request('POST', '/sign-in/provider', {
    headers: html,
    body: new URLSearchParams({ kept }),
  })
  assert.equal(left.status, 200, left.text)
  const [, address = ''] = /^0; url=(.*)$/.exec(String(left.headers.refresh)) ?? []
  return { address, cookie: cookieIn(left), kept }
}

suite('signing in at the provider', () => {
  test('gives a session, and leads to where the person wanted to go', async () => {
    const page = await service.request('GET', '/sign-in?return=/board', { headers: html })
    assert.match(page.text, /href="[^"]*\/sign-in\/provider\?return=%2Fboard"/)
    const back = await signIn('ann', '?return=%2Fboard')
    assert.deepEqual([back.status, back.headers.location], [303, `${service.url}/board`])
    const cookie = cookieIn(back)
    const me = await service.request('GET', '/users/me', { headers: { cookie } })
    assert.deepEqual([me.body.name, me.body.fullName, me.body.role], ['ann', 'Ann Lee', 'editor'])
    const { body } = await service.request('GET', '/audit?user=ann', { headers: basic('head') })
    const events = (body.items as readonly { event: string; detail: string }[]).map(({ event }) => event)
    assert.deepEqual(events.toSorted(), ['sign-in', 'user-created'])
  })

  test('sends a form that was kept meanwhile, once, and for this browser alone', async () => {
    const { address, cookie, kept } = await leaveWithForm('Kept "&" <deal>')
    const stored = JSON.stringify(await service.database.rows('SELECT * FROM kept_forms'))
    assert.ok(!stored.includes('Kept') && stored.includes('sealed'), 'the store cannot read it')
    const query = await signInAt(address, 'ann')
    // A provider is another site, and that is what the browser says of the way back.
    const headers = { ...html, cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const sent = await service.request('GET', `/sign-in/callback?${query}`, { headers })
    assert.equal(sent.status, 303, sent.text)
    assert.match(String(sent.headers.location), /\/rest\/v1\/deals\/[\w-]{36}$/)
    const signedIn = { cookie: cookieIn(sent) }
    const path = new URL(String(sent.headers.location), service.url).pathname
    assert.equal((await service.request('GET', path, { headers: signedIn })).body.name, 'Kept "&" <deal>')
    assert.deepEqual(await service.database.rows('SELECT * FROM kept_forms'), [])
    const elsewhere = { ...html, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const body = new URLSearchParams({ kept })
    assert.equal((await service.request('POST', '/sign-in/provider', { headers: elsewhere, body })).status, 403)
  })

  test('keeps the form when the provider refuses, until a password is right', async () => {
    const { address, cookie } = await leaveWithForm('Kept twice')
    const refused = await comeBack(await signInAt(address, 'nobody'), cookie)
    assert.equal(refused.status, 403)
    const body = new URLSearchParams({ name: 'head', password: 'password of head', kept: keptIn(refused) })
    const sent = await service.request('POST', '/sign-in', { headers: html, body })
    assert.match(String(sent.headers.location), /\/rest\/v1\/deals\/[\w-]{36}$/)
  })

  test('says so when no more forms can be kept, and the page still has it', async () => {
    const now = new Date().toISOString()
    const endsAt = new Date(Date.now() + 60_000).toISOString()
    const form = { address: '127.0.0.1', endsAt, sealed: 'x' }
    const { keepForm, takeForm } = service.store.accounts
    let count = 0
    while (await keepForm({ ...form, hash: `${count}` }, now)) count++
    const { kept } = await endedForm('Kept at home')
    const body = new URLSearchParams({ kept })
    const full = await service.request('POST', '/sign-in/provider', { headers: html, body })
    assert.deepEqual([full.status, full.headers['set-cookie']], [503, undefined])
    assert.match(full.text, /role="alert">Your input cannot be kept now/)
    assert.equal(keptIn(full), kept)
    while (count-- > 0) await takeForm(`${count}`, now)
  })

  test('takes whatever the provider adds of its own, and is refused with what it sends twice', async () => {
    const { address, cookie } = await leave()
    const query = await signInAt(address, 'ann')
    assert.equal((await comeBack(`${query}&code=other`, cookie)).status, 403)
    const cancelled = await comeBack('error=access_denied&error_subcode=cancel', cookie)
    assert.equal(cancelled.status, 403)
    assert.match(cancelled.text, /role="alert"[^>]*>The provider did not confirm/)
    assert.equal((await comeBack(`${query}&correlation-id=7`, cookie)).status, 303)
  })

  test('leads home where the address is too long for a cookie', async () => {
    const back = await signIn('ann', `?return=${encodeURIComponent(`/customers?name=${'x'.repeat(6000)}`)}`)
    assert.deepEqual([back.status, back.headers.location], [303, `${service.url}/`])
  })

  test('never leads to another site', async () => {
    const back = await signIn('ann', `?return=${encodeURIComponent('//evil.example.com')}`)
    assert.equal(back.headers.location, `${service.url}/`)
  })

  test('is refused without the cookie of this browser, with that of another sign-in, and a second time', async () => {
    const { address, cookie } = await leave()
    const query = await signInAt(address, 'ann')
    const other = await leave()
    for (const wrong of ['', other.cookie, 'dealdesk_sign_in=e30', 'dealdesk_sign_in=x']) {
      const refused = await comeBack(query, wrong)
      assert.equal(refused.status, 403)
      assert.equal(refused.headers['set-cookie'], undefined)
      assert.match(refused.text, /role="alert"/)
    }
    assert.equal((await comeBack(query, cookie)).status, 303)
    assert.equal((await comeBack(query, cookie)).status, 403)
  })

  test('is refused without a role, and under a name that somebody has', async () => {
    const without = await signIn('nobody')
    assert.equal(without.status, 403)
    assert.match(without.text, /no role/)
    const taken = await signIn('eve')
    assert.equal(taken.status, 403)
    assert.match(taken.text, /head is taken[\s\S]*subject at the provider is eve/)
    const linked = await service.request('PUT', '/users/head/identity', {
      headers: basic('head'),
      body: { subject: 'eve' },
    })
    assert.equal(linked.status, 204)
    const me = await service.request('GET', '/users/me', { headers: { cookie: cookieIn(await signIn('eve')) } })
    assert.equal(me.body.name, 'head')
  })

  test('lets a person set a password, on the page of their own', async () => {
    const first = { cookie: cookieIn(await signIn('ann')) }
    const headers = { ...html, cookie: cookieIn(await signIn('ann', '', first)) }
    const page = await service.request('GET', '/users/ann', { headers })
    assert.match(page.text, /New password/)
    assert.doesNotMatch(page.text, /Old password/)
    const body = new URLSearchParams({ password: 'four words in a row' })
    const set = await service.request('POST', '/users/ann/passwords', { headers, body })
    assert.equal(set.status, 303, set.text)
    const now = { headers: basic('ann', 'four words in a row') }
    assert.equal((await service.request('GET', '/users/me', now)).status, 200)
  })

  test('is recent only from when the provider asked the person', async () => {
    const makesKey = async (cookie: string) => {
      const body = { name: randomUUID(), role: 'reader' }
      const made = await service.request('POST', '/users/me/keys', { headers: { cookie }, body })
      return made.body.code ?? made.status
    }
    const first = cookieIn(await signIn('ann'))
    assert.equal(await makesKey(first), 'sign-in-again', 'the provider does not tell whether it asked')
    assert.equal(new URL((await leave()).address).searchParams.get('max_age'), null)
    assert.equal(new URL((await leave('', { cookie: first })).address).searchParams.get('max_age'), '300')
    try {
      provider.bend = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3600 })
      const hourAgo = cookieIn(await signIn('ann', '', { cookie: first }))
      assert.equal(await makesKey(hourAgo), 'sign-in-again')
      provider.bend = undefined
      assert.equal(await makesKey(cookieIn(await signIn('ann', '', { cookie: hourAgo }))), 201)
    } finally {
      provider.bend = undefined
    }
  })

  test('ends at the provider too', async () => {
    const cookie = cookieIn(await signIn('ann'))
    const out = await service.request('POST', '/sign-out', { headers: { ...html, cookie } })
    assert.equal(out.status, 303)
    const address = new URL(String(out.headers.location))
    assert.equal(address.origin, provider.issuer)
    assert.equal(address.searchParams.get('post_logout_redirect_uri'), `${service.url}/sign-in`)
    assert.equal((await service.request('GET', '/users/me', { headers: { cookie } })).status, 401)
  })

  test('survives new keys of the provider', async () => {
    await provider.rotate()
    // Keys are looked for at most once a second.
    while ((await signIn('ann')).status !== 303) await pause(100)
  })

  test('is told plainly when the provider is away, and a password still works', async () => {
    const { address, cookie } = await leave()
    const query = await signInAt(address, 'ann')
    await provider.stop()
    const back = await comeBack(query, cookie)
    assert.equal(back.status, 403)
    assert.match(back.text, /role="alert"[\s\S]*does not answer/)
    const body = new URLSearchParams({ name: 'head', password: 'password of head' })
    assert.equal((await service.request('POST', '/sign-in', { headers: html, body })).status, 303)
    await provider.start()
  })
})

test('the cookie that leaves for the provider is for the host alone behind TLS, and for the path where there is one', async (t) => {
  for (const [base, expected] of [
    ['https://deals.example', /^__Host-dealdesk_sign_in=[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/],
    [
      'https://example.com/deals',
      /^dealdesk_sign_in=[\w-]+; Max-Age=\d+; Path=\/deals\/; HttpOnly; SameSite=Lax; Secure$/,
    ],
  ] as const) {
    const secure = await runService({ ...provider.settings, BASE_URL: base })
    t.after(() => secure.close())
    const left = await secure.request('GET', '/sign-in/provider', { headers: html })
    assert.match(String(left.headers['set-cookie']?.[0]), expected)
    const said = async (cookie: string) => {
      const headers = { ...html, cookie }
      const { text } = await secure.request('GET', '/sign-in/callback?error=access_denied', { headers })
      return /role="alert"[^>]*>([^.<]*)/.exec(text)?.[1]
    }
    const cookie = cookieIn(left)
    assert.equal(await said(cookie), 'The provider did not confirm who you are')
    // Another host of the domain may have set one of the plain name.
    const plain = cookie.replace('__Host-', '')
    if (plain !== cookie) assert.equal(await said(plain), await said(''))
  }
})
