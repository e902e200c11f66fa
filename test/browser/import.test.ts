import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { desk, follow, submit } from '../support/browser/desk.ts'
import { ways } from '../support/browser/ways.ts'

const work = desk()

const upload = async (page: Page, what: string, name: string, text: string, send = 'Upload'): Promise<void> => {
  await page.getByLabel(what, { exact: true }).check()
  await page.locator('#file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await submit(page, send)
}

/** The page follows what goes on by itself. */
const heading = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('heading', { name: text }).waitFor()
  await page.waitForLoadState()
}

suite('an import', () => {
  for (const [way, options] of ways()) {
    test(`with faults is corrected, ${way}`, async () => {
      const page = await work.open('/imports', { ...options, acceptDownloads: true })
      await upload(
        page,
        'Customers',
        'people.csv',
        `Name;E-mail;Born\nAna ${way};ana@example.com;41\nBen ${way};ben@example.com;old\n`,
      )
      await heading(page, 'Preview')
      await page.locator('summary', { hasText: 'Change how the file is read' }).click()
      await page.getByLabel('Born').selectOption('age')
      await submit(page, 'Check all rows')
      await heading(page, '1 row rejected')
      assert.match(await page.locator('.counts').innerText(), /New\s+1[\s\S]*Rejected\s+1/)
      assert.match(await page.getByRole('region', { name: '1 row rejected' }).innerText(), /1 row: “Born” must be/)
      await submit(page, 'Import 1 row')
      await heading(page, 'The import is done')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download the rejected rows' }).click(),
      ])
      const rejected = await readFile(await download.path(), 'utf8')
      assert.match(rejected, new RegExp(`Rejected because;Name;E-mail;Born\\r\\n.*;Ben ${way};ben@example.com;old`))

      await follow(page, page.getByRole('link', { name: 'Import another file' }))
      await upload(page, 'Customers', 'corrected.csv', rejected.replace(';old', ';35'))
      await heading(page, 'Preview')
      await submit(page, 'Import 1 row')
      await heading(page, 'The import is done')
      await follow(page, page.getByRole('link', { name: 'Open the list' }))
      assert.match(await page.locator('main').innerText(), new RegExp(`Ben ${way}`))
      await work.close(page)
    })

    test(`in German asks what a column means, and is undone, ${way}`, async () => {
      const page = await work.open('/imports', { ...options, locale: 'de-DE' })
      await upload(page, 'Deals', 'deals.csv', `Titel;Betrag\nDach ${way};1.500\nTür ${way};2.750\n`, 'Hochladen')
      await page.getByText('1 Spalte lässt sich verschieden lesen').waitFor()
      await page.locator('select[name="decimal:Betrag"]').selectOption({ label: '1.234,50' })
      await submit(page, 'Alle Zeilen prüfen')
      await heading(page, 'Vorschau')
      await submit(page, '2 Zeilen importieren')
      await heading(page, 'Der Import ist fertig')
      const done = page.url()
      await follow(page, page.getByRole('link', { name: 'Zur Liste' }))
      assert.match(await page.locator('main').innerText(), new RegExp(`Dach ${way}[\\s\\S]*1\\.500`))
      await page.goto(done)
      await page.locator('summary', { hasText: 'Diesen Import rückgängig machen' }).click()
      await submit(page, 'Import rückgängig machen')
      await heading(page, 'Der Import ist rückgängig gemacht')
      await page.goto(`${work.service.url}/imports`)
      assert.match(await page.getByRole('table').innerText(), /deals\.csv[\s\S]*Rückgängig gemacht/)
      await work.close(page)
    })
  }
})

test('an office’s file is answered on one screen, in German, and comes in', async () => {
  const page = await work.open('/imports', { locale: 'de-DE' })
  const rows = ['Titel;T€;Phase', 'Büro eins;25;Closed Won', 'Büro zwei;1,5;Lauwarm']
  await upload(page, 'Deals', 'phasen.csv', `${rows.join('\n')}\n`, 'Hochladen')
  await heading(page, 'Werte in der Datei')
  await page.getByLabel('T€').first().selectOption('price')
  await submit(page, 'Alle Zeilen prüfen')
  await page.getByText('1 Spalte lässt sich verschieden lesen').waitFor()
  await page.locator('select[name="unit:T€"]').selectOption('1000')
  await submit(page, 'Alle Zeilen prüfen')
  await heading(page, 'Werte in der Datei')
  const won = page
    .getByRole('region', { name: 'Werte in der Datei' })
    .getByRole('row', { name: /Closed Won/ })
    .getByRole('combobox')
  assert.equal(await won.locator('option:checked').innerText(), 'Gewonnen')
  await page
    .getByRole('region', { name: 'Werte in der Datei' })
    .getByRole('row', { name: /Lauwarm/ })
    .getByRole('combobox')
    .selectOption({ label: 'Verhandlung' })
  await submit(page, 'Mit diesen Antworten prüfen')
  await heading(page, 'Vorschau')
  const first = await page.getByRole('region', { name: 'Vorschau' }).innerText()
  assert.match(first, /Büro eins[\s\S]*25\.000[\s\S]*Büro zwei[\s\S]*1\.500/)
  await submit(page, '2 Zeilen importieren')
  await heading(page, 'Der Import ist fertig')
  await work.close(page)
})
