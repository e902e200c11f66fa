import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addUser } from '../../src/access/as-operator.ts'
import { follow, LONGEST_STEP, openAccount, press, submit, unfold } from '../support/browser/desk.ts'
import { type UsedBrowser, useBrowser } from '../support/browser/launch-browser.ts'
import { scripting } from '../support/browser/ways.ts'
import type { TestProvider } from '../support/oidc/run-provider.ts'
import { runWithProvider } from '../support/oidc/run-with-provider.ts'
import { bearer } from '../support/service/closed-service.ts'
import { DEALS } from '../support/service/making-deals.ts'
import type { TestService } from '../support/service/running-service.ts'
import { endSessions } from '../support/things/audited.ts'

let service: TestService
let provider: TestProvider
let used: UsedBrowser

before(async () => {
  const [running, launched] = await Promise.all([
    runWithProvider({ ann: { preferred_username: 'ann', name: 'Ann Lee', roles: 'editor' } }),
    useBrowser(),
  ])
  service = running.service
  provider = running.provider
  used = launched
  const head = { name: 'head', role: 'admin', password: 'password of head' } as const
  await addUser(service.store, { ...head })
})
after(async () => {
  await used.close()
  await service.close()
  await provider.close()
})

async function open(path: string, javaScriptEnabled: boolean): Promise<Page> {
  const context = await used.browser.newContext({ javaScriptEnabled, locale: 'en-GB' })
  context.setDefaultTimeout(LONGEST_STEP)
  const page = await context.newPage()
  await page.goto(new URL(path, service.url).href)
  return page
}

suite('people who sign in at the provider', () => {
  for (const javaScriptEnabled of scripting()) {
    test(`get to the page that they asked for, and out again, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const page = await open('/board', javaScriptEnabled)
      assert.equal(new URL(page.url()).pathname, '/sign-in')
      await follow(page, page.getByRole('link', { name: 'Sign in with your organization' }))
      assert.equal(new URL(page.url()).origin, provider.issuer)
      await page.getByLabel('Login').fill('ann')
      await submit(page, 'Continue')
      assert.equal(page.url(), `${service.url}/board`, await page.locator('main').innerText())
      assert.match(await page.locator('.account > summary').innerText(), /ann/i)
      // The session ends elsewhere while a form is open: it is sent after the next sign-in.
      await page.goto(`${service.url}${DEALS}`)
      await follow(page, page.getByRole('link', { name: 'New deal', exact: true }))
      await page.locator('#new-form').getByLabel('Name', { exact: true }).fill('Entered before')
      await page.locator('#new-form').getByLabel('Price').fill('5')
      await endSessions(service.store, 'ann')
      await page.context().addCookies([{ name: 'dealdesk_session', value: 'b'.repeat(43), url: service.url }])
      await submit(page, 'Create a deal')
      assert.match(await page.locator('main').innerText(), /Your input is kept/)
      await page.getByRole('button', { name: 'Sign in with your organization' }).click()
      await page.waitForURL(/\/rest\/v1\/deals\/[\w-]{36}$/)
      assert.equal(await page.locator('h1').innerText(), 'Entered before')
      await openAccount(page)
      await submit(page, 'Sign out')
      assert.equal(new URL(page.url()).origin, provider.issuer, 'where the provider asks')
      await submit(page, 'Yes, sign me out')
      assert.equal(new URL(page.url()).pathname, '/sign-in')
      await page.goto(`${service.url}/board`)
      assert.equal(new URL(page.url()).pathname, '/sign-in')
      await page.context().close()
    })
  }
})

suite('people who are invited', () => {
  for (const javaScriptEnabled of scripting()) {
    test(`set a password, keep their profile, keys and sessions, and leave, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const name = javaScriptEnabled ? 'nina' : 'noah'
      const enter = async (page: Page, who: string, password: string) => {
        await page.getByLabel('Name').fill(who)
        await page.getByLabel('Password').fill(password)
        await submit(page, 'Sign in')
      }
      const title = (page: Page) => page.locator('h1').innerText()
      const once = (page: Page) => page.locator('pre code').innerText()

      const admin = await open('/users', javaScriptEnabled)
      await enter(admin, 'head', 'password of head')
      await unfold(admin, 'Invite somebody')
      await admin.getByLabel('Name, to sign in with').fill(name)
      await admin.getByLabel('Role').selectOption('editor')
      await submit(admin, 'Invite')
      const link = await once(admin)

      const page = await open(link, javaScriptEnabled)
      assert.equal(await title(page), `Welcome, ${name}`)
      await page.getByLabel('New password').fill('four words in a row')
      await submit(page, 'Set the password and sign in')
      assert.equal(await title(page), 'Today')
      await openAccount(page)
      await submit(page, 'Sign out')
      await enter(page, name, 'four words in a row')

      await openAccount(page)
      await follow(page, page.locator('.actor a'))
      await page.getByLabel('Full name').fill('Somebody New')
      await page.getByLabel('Time zone').fill('Europe/Zurich')
      await submit(page, 'Save')
      assert.equal(await title(page), 'Somebody New')
      await page.getByLabel('Language and region').selectOption('Deutsch (Schweiz)')
      await submit(page, 'Save')
      assert.equal(await page.getByLabel('Voller Name').inputValue(), 'Somebody New', 'the language changes at once')
      await page.getByLabel('Sprache und Region').selectOption('')
      await submit(page, 'Speichern')

      await page.getByLabel('Old password').fill('not the old one')
      await page.getByLabel('New password').fill('four other words here')
      await submit(page, 'Set the password')
      assert.match(await page.getByRole('alert').innerText(), /Nothing was changed/)
      await page.getByLabel('Old password').fill('four words in a row')
      await page.getByLabel('New password').fill('four other words here')
      await submit(page, 'Set the password')
      assert.equal(await title(page), 'Sign in', 'a new password ends all sessions')
      await enter(page, name, 'four other words here')
      await openAccount(page)
      await follow(page, page.locator('.actor a'))

      await page.getByLabel('Name', { exact: true }).fill(`${name}’s robot`)
      await page.getByLabel('Role').selectOption('reader')
      await submit(page, 'Create a key')
      const headers = bearer(await once(page))
      assert.equal((await service.request('GET', DEALS, { headers })).status, 200)
      await submit(page, `Withdraw the key ${name}’s robot`)
      assert.match(await page.locator('main').innerText(), /No keys\./)
      assert.equal((await service.request('GET', DEALS, { headers })).status, 401)

      await (javaScriptEnabled ? press : submit)(page, 'End all sessions')
      if (javaScriptEnabled) await submit(page, 'Yes, end all')
      assert.equal(await title(page), 'Sign in')
      await enter(page, name, 'four other words here')
      await openAccount(page)
      await submit(page, 'Sign out')
      assert.equal(await title(page), 'Sign in')

      await admin.goto(`${service.url}/audit?user=${name}`)
      const told = await admin.locator('main').innerText()
      for (const event of ['Invitation accepted', 'Password set', 'Key created', 'Key withdrawn', 'All sessions ended'])
        assert.ok(told.includes(event), event)

      await admin.goto(`${service.url}/users/${name}`)
      await (javaScriptEnabled ? press : submit)(admin, 'Remove the user')
      await submit(admin, 'Yes: Remove the user')
      assert.equal(await title(admin), 'Users')
      assert.equal(await admin.getByRole('link', { name }).count(), 0)
      await admin.context().close()
      await page.context().close()
    })
  }
})
