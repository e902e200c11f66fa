import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

/** The pictures that the README shows. */
export async function documentPictures(url: string, browser: Browser, folder: string): Promise<void> {
  const take = async (
    name: string,
    viewport: { readonly width: number; readonly height: number },
    show: (page: Page) => Promise<unknown>,
  ): Promise<void> => {
    const page = await browser.newPage({ viewport, locale: 'en-GB', timezoneId: 'UTC' })
    await show(page)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await page.close()
  }
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
