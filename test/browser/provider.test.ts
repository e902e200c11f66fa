import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { operator } from '../../src/access/manage.ts'
import { follow, submit, unfold } from '../support/browser/desk.ts'
import { launchBrowser } from '../support/browser/launch-browser.ts'
import type { TestProvider } from '../support/oidc/run-provider.ts'
import { runWithProvider } from '../support/oidc/run-with-provider.ts'
import { DEALS } from '../support/service/making-deals.ts'
import type { TestService } from '../support/service/running-service.ts'

let service: TestService
let provider: TestProvider
let browser: Browser

before(async () => {
  const [running, launched] = await Promise.all([
    runWithProvider({ ann: { preferred_username: 'ann', name: 'Ann Lee', roles: 'editor' } }),
    launchBrowser(),
  ])
  service = running.service
  provider = running.provider
  browser = launched
})
after(async () => {
  await browser.close()
  await service.close()
  await provider.close()
})

suite('people who sign in at the provider', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`get to the page that they asked for, and out again, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const context = await browser.newContext({ javaScriptEnabled })
      context.setDefaultTimeout(20_000)
      const page = await context.newPage()
      await page.goto(`${service.url}/board`)
      assert.equal(new URL(page.url()).pathname, '/sign-in')
      await follow(page, page.getByRole('link', { name: 'Sign in with your organization' }))
      assert.equal(new URL(page.url()).origin, provider.issuer)
      await page.getByLabel('Login').fill('ann')
      await submit(page, 'Continue')
      assert.equal(page.url(), `${service.url}/board`, await page.locator('main').innerText())
      assert.match(await page.locator('.actor').innerText(), /ann/)
      // The session ends elsewhere while a form is open: it is sent after the next sign-in.
      await page.goto(`${service.url}${DEALS}`)
      await unfold(page, 'New deal')
      await page.locator('#new-form').getByLabel('Name').fill('Entered before')
      await page.locator('#new-form').getByLabel('Price').fill('5')
      await service.store.accounts.endSessions('ann', undefined, 'sessions-ended', operator)
      await context.addCookies([{ name: 'dealdesk_session', value: 'b'.repeat(43), url: service.url }])
      await submit(page, 'Create a deal')
      assert.match(await page.locator('main').innerText(), /What you entered is kept/)
      await page.getByRole('button', { name: 'Sign in with your organization' }).click()
      await page.waitForURL(/\/rest\/v1\/deals\/[\w-]{36}$/)
      assert.equal(await page.locator('h1').innerText(), 'Entered before')
      await submit(page, 'Sign out')
      assert.equal(new URL(page.url()).origin, provider.issuer, 'where the provider asks')
      await submit(page, 'Yes, sign me out')
      assert.equal(new URL(page.url()).pathname, '/sign-in')
      await page.goto(`${service.url}/board`)
      assert.equal(new URL(page.url()).pathname, '/sign-in')
      await context.close()
    })
  }
})
