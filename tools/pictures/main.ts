import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { useBrowser } from '../../test/support/browser/launch-browser.ts'

// The pictures of the README, of the sample data as a browser shows it: `npm run pictures`.

const folder = mkdtempSync(join(tmpdir(), 'dealdesk-pictures-'))
const service = spawn(process.execPath, ['src/start.js', '--demo'], {
  env: { ...process.env, PORT: '0', DATABASE_URL: join(folder, 'dealdesk.db') },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const { browser, close } = await useBrowser()
try {
  const url = await readyAddress()
  await take('today', { width: 1400, height: 820 }, (page) => page.goto(`${url}/`))
  await take('board', { width: 1400, height: 820 }, async (page) => {
    await page.goto(`${url}/board?pipeline=sales`)
    await dragToNextColumn(page)
  })
  await take('every-form', { width: 1140, height: 922 }, async (page) => {
    const answer = await fetch(`${url}/rest/v1/deals?status=open&held=false&stage=proposal&maxpagesize=1`)
    const [deal] = ((await answer.json()) as { readonly items: readonly { readonly id: string }[] }).items
    await page.context().request.post(`${url}/developer`, { form: { developer: 'true', return: '/' } })
    await page.goto(`${url}/rest/v1/deals/${deal?.id}/actions/hold`)
  })
} finally {
  await close()
  service.kill()
  await once(service, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

async function readyAddress(): Promise<string> {
  for await (const text of service.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    const [, url] = /^Dealdesk is ready at (\S+)/m.exec(String(text)) ?? []
    if (url !== undefined) return url
  }
  throw new Error('the service did not start')
}

async function take(
  name: string,
  viewport: { readonly width: number; readonly height: number },
  show: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await browser.newPage({ viewport, locale: 'en-GB', timezoneId: 'UTC' })
  await show(page)
  await page.screenshot({ path: join(import.meta.dirname, `../../docs/images/${name}.png`) })
  await page.close()
}

/** A card on its way, as it is while the mouse holds it. */
async function dragToNextColumn(page: Page): Promise<void> {
  const columns = page.locator('[data-stage]')
  const card = columns.nth(2).locator('.card').nth(1)
  const to = await columns.nth(3).boundingBox()
  await card.hover({ position: { x: 60, y: 40 } })
  await page.mouse.down()
  for (const share of [0.3, 0.5]) {
    await page.mouse.move((to?.x ?? 0) + (to?.width ?? 0) * share, (to?.y ?? 0) + 200, { steps: 5 })
  }
}
