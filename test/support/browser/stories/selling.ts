import assert from 'node:assert/strict'
import { basic } from '../../service/closed-service.ts'
import { DEALS } from '../../service/making-deals.ts'
import { follow, openActions } from '../desk.ts'
import { FULL_NAME, SELLER, type Stories } from '../seller.ts'

/** A deal from its first day to the last. */
export const selling: Stories = {
  async 'makes a deal that is theirs, with an amount as they write it'({ page, german, name, visit, send }) {
    await visit('/board')
    await follow(page, page.locator('.head a.button'))
    const form = page.locator('#new-form')
    await form.locator('[name=name]').fill(`Roof, ${name}`)
    await form.locator('[name=price]').fill(german ? '1.500' : '1,500')
    await send(form.locator('[type=submit]').last())
    await visit('/board?owner=me')
    const card = page.locator('.card', { hasText: `Roof, ${name}` })
    assert.match(await card.innerText(), german ? /1\.500,00 EUR[\s\S]*CN/ : /1,500\.00 EUR[\s\S]*CN/)
    assert.equal(await page.locator('.tabs [aria-current]').innerText(), german ? 'Meine' : 'Mine')
    await follow(page, card.locator('h3 a'))
    for (const part of ['#facts', '#history']) assert.ok((await page.locator(part).innerText()).includes(FULL_NAME))
  },

  async 'is told of an amount that could be two, with both readings'({ page, german, name, visit, send, made }) {
    const id = await made(DEALS, { name: `Two, ${name}`, price: 1000 })
    await visit(`${DEALS}/${id}/actions/change-price`)
    const form = page.locator('form[action$="/price-changes"]').first()
    const typed = german ? '1.50' : '1,50'
    await form.locator('[name=newPrice]').fill(typed)
    await form.locator('[name=reason]').fill('x')
    await send(form.locator('[type=submit]'))
    assert.match(await page.locator('.fault').first().innerText(), german ? /1,50\b.*\b150\b/ : /1\.50\b.*\b150\b/)
    assert.equal(await page.locator('[name=newPrice]').first().inputValue(), typed)
  },

  async 'sees beside what they typed what somebody else changed meanwhile'({
    page,
    german,
    name,
    service,
    visit,
    send,
    made,
  }) {
    const id = await made(DEALS, { name: `Conflict, ${name}`, price: 1000 })
    await visit(`${DEALS}/${id}`)
    await page.locator('#op-change-price > summary').click()
    const form = page.locator('#op-change-price form')
    await form.locator('[name=newPrice]').fill('2500')
    await form.locator('[name=reason]').fill('discount')
    const headers = basic('dan')
    const body = { newPrice: 1500, reason: 'list price' }
    assert.equal((await service.request('POST', `${DEALS}/${id}/price-changes`, { headers, body })).status, 201)
    await send(form.locator('[type=submit]'))
    const notice = page.getByRole('alert')
    const unsaved = german ? 'Ihre Änderung ist noch nicht gespeichert.' : 'Your change is not saved yet.'
    await notice.getByText(unsaved).waitFor()
    assert.match(await notice.innerText(), /Dan Weiß[\s\S]*list price/)
    assert.equal(await page.locator('form[action$="/price-changes"]').count(), 1, 'one form')
    assert.equal(await page.locator('#again [name=newPrice]').inputValue(), '2500')
    assert.match(await page.locator('#again').innerText(), german ? /jetzt 1\.500/ : /now 1,500/)
    await send(page.locator('#again [type=submit]').first())
    await page.locator('#facts', { hasText: german ? '2.500,00' : '2,500.00' }).waitFor()
  },

  async 'moves a card to the next stage, and wins it'({ page, name, javaScriptEnabled, visit, made, request }) {
    const id = await made(DEALS, { name: `Card, ${name}`, price: 1, owner: SELLER })
    await visit('/board?owner=me')
    const card = page.locator(`#deal-${id}`)
    if (javaScriptEnabled) {
      await card.locator('h3 a').focus()
      await page.keyboard.press('.')
    } else await follow(page, card.locator('button[name=stage][value=qualified]'))
    await page.locator(`[data-stage=qualified] #deal-${id}`).waitFor()
    if (javaScriptEnabled) {
      await card.locator('h3 a:focus').waitFor()
      await page.keyboard.press('w')
      await card.waitFor({ state: 'detached' })
    } else await follow(page, card.locator('button[formaction$="/completions"]'))
    assert.equal((await request('GET', `${DEALS}/${id}`)).body.status, 'completed')
    assert.equal(await page.locator(`#deal-${id}`).count(), 0)
  },

  async 'reads of a deal what sellers say: on hold, won, lost'({ page, german, name, visit, made, request, send }) {
    const id = await made(DEALS, { name: `Words, ${name}`, price: 1 })
    const marks = page.locator('.marks').first()
    await visit(`${DEALS}/${id}`)
    await openActions(page)
    await page.locator('#op-hold > summary').click()
    await page.locator('#op-hold [name=reason]').fill('credit check')
    await send(page.locator('#op-hold [type=submit]'))
    await marks.getByText(german ? 'Zurückgestellt' : 'On hold').waitFor()
    for (const [noun, body, said] of [
      ['unholds', {}, german ? 'Offen' : 'Open'],
      ['completions', {}, german ? 'Gewonnen' : 'Won'],
      ['reopenings', { reason: 'x' }, german ? 'Offen' : 'Open'],
      ['cancellations', { reason: 'too dear' }, german ? 'Verloren' : 'Lost'],
    ] as const) {
      assert.equal((await request('POST', `${DEALS}/${id}/${noun}`, { body })).status, 201, noun)
      await visit(`${DEALS}/${id}`)
      await marks.getByText(said).waitFor()
      const shown = await page.locator('body').innerText()
      assert.doesNotMatch(shown, /\b(held|completed|cancelled|amercement|\/rest\/v1|This as)\b/i)
    }
  },
}
