import assert from 'node:assert/strict'
import { submit } from '../desk.ts'
import type { Stories } from '../seller.ts'

/** The first day: the desk is still empty, and what they have comes in. */
export const beginning: Stories = {
  async 'begins with an empty desk, which leads to the import, the team and the first deal'({ page, german, visit }) {
    await visit('/')
    const steps = page.getByRole('region', { name: german ? 'Erste Schritte' : 'Get started' })
    const hrefs = await steps.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    for (const href of ['/imports', '/users', '/new/deals']) assert.ok(hrefs.includes(href), hrefs.join())
    assert.equal(await steps.getByRole('combobox').count(), 1, 'the currency is chosen there')
    await visit('/customers')
    const first = page.locator('.empty a.button')
    assert.deepEqual(await first.allInnerTexts(), [german ? 'Den ersten Kunden anlegen' : 'Create the first customer'])
  },

  async 'brings a file as their spreadsheet writes it, and takes it back'({ page, german, name, visit, request }) {
    const title = (what: string): string => `${what} (${name.replaceAll(/\W/g, '')})`
    const file = german
      ? `Titel;Betrag;Phase;Kunde;Auftragsnr.\n${title('Dach')};31.559,00 €;Angebot;${title('Blum')};${title('R')}\n`
      : `Title,Amount,Stage,Customer,Order no.\n${title('Dach')},"€31,559.00",Proposal,${title('Blum')},${title('R')}\n`
    await visit('/imports')
    await page.locator('[name=on][value=deal]').check()
    await page.locator('#file').setInputFiles({ name: 'deals.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await submit(page, german ? 'Hochladen' : 'Upload')
    // The customer is not known: the check says so, and the next one creates them.
    await page.getByRole('heading', { name: german ? '1 Zeile abgelehnt' : '1 row rejected' }).waitFor()
    await page.locator('[name=create]').check()
    await submit(page, german ? 'Alle Zeilen prüfen' : 'Check all rows')
    await page.getByRole('heading', { name: german ? 'Vorschau' : 'Preview' }).waitFor()
    await submit(page, german ? '1 Zeile importieren' : 'Import 1 row')
    await page.getByRole('heading', { name: german ? 'Der Import ist fertig' : 'The import is done' }).waitFor()
    const reference = encodeURIComponent(title('R'))
    const { body } = await request('GET', `/rest/v1/deals/by/reference/${reference}?expand=customer`)
    assert.partialDeepStrictEqual(body, { price: 31_559, currency: 'EUR', stage: 'proposal' })
    assert.equal((body.customer as { readonly name?: string } | null)?.name, title('Blum'))
    const folded = german ? 'Diesen Import rückgängig machen' : 'Undo this import'
    await page.locator('summary', { hasText: folded }).click()
    await submit(page, german ? 'Import rückgängig machen' : 'Undo the import')
    const undone = german ? 'Der Import ist rückgängig gemacht' : 'The import is undone'
    await page.getByRole('heading', { name: undone }).waitFor()
    assert.equal((await request('GET', `/rest/v1/deals/by/reference/${reference}`)).status, 404)
  },
}
