import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { desk, submit } from '../support/browser/desk.ts'
import { ways } from '../support/browser/ways.ts'

const work = desk()

const upload = async (page: Page, name: string, text: string): Promise<void> => {
  await page.getByLabel('Customers', { exact: true }).check()
  await page.locator('#file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await submit(page, 'Upload')
}

/** The page follows what goes on by itself. */
const heading = (page: Page, text: string): Promise<void> => page.getByRole('heading', { name: text }).waitFor()

suite('an import', () => {
  for (const [way, options] of ways()) {
    test(`with faults is corrected, ${way}`, async () => {
      const page = await work.open('/import', { ...options, acceptDownloads: true })
      await upload(
        page,
        'people.csv',
        `Name;E-mail;Years\nAna ${way};ana@example.com;41\nBen ${way};ben@example.com;old\n`,
      )
      assert.match(await page.getByRole('table').innerText(), /Years/)
      await page.getByLabel('Years').selectOption('age')
      await submit(page, 'Update the preview')
      assert.equal(await page.locator('.cells .fault').count(), 1)
      await submit(page, 'Check all rows')
      await heading(page, 'What the import would do')
      assert.match(await page.locator('.counts').innerText(), /New\s+1[\s\S]*Rejected\s+1/)
      await submit(page, 'Import 1 row')
      await heading(page, 'The import is done')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download the rejected rows' }).click(),
      ])
      const rejected = await readFile(await download.path(), 'utf8')
      assert.match(rejected, new RegExp(`Rejected because;Name;E-mail;Years\\r\\n.*;Ben ${way};ben@example.com;old`))

      await page.getByRole('link', { name: 'Import another file' }).click()
      await upload(page, 'corrected.csv', rejected.replace(';old', ';35'))
      await page.getByLabel('Years').selectOption('age')
      await submit(page, 'Check all rows')
      await heading(page, 'What the import would do')
      await submit(page, 'Import 1 row')
      await heading(page, 'The import is done')
      await page.getByRole('link', { name: 'Open the list' }).click()
      assert.match(await page.locator('main').innerText(), new RegExp(`Ben ${way}`))
      await work.close(page)
    })
  }
})
