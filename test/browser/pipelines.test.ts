import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { desk, submit } from '../support/browser/desk.ts'
import { readings } from '../support/browser/ways.ts'
import { DEALS } from '../support/service/making-deals.ts'

// Pipelines, as admins arrange them and everybody uses them, in English and German, with and without script.

const work = desk()

const send = async (page: Page, button: Locator): Promise<void> => submit(page, await button.innerText())

async function made(path: string, body: object): Promise<string> {
  const answer = await work.service.request('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body.id)
}

interface Stage {
  readonly name: string
  readonly title: string
  readonly likelihood: number
  readonly requires: readonly string[]
  readonly staleAfter: number | null
}

const stagesOf = async (pipeline: string): Promise<readonly Stage[]> =>
  (await work.service.request('GET', `/pipelines/${pipeline}`)).body.stages as never

suite('pipelines', () => {
  for (const { name, ...options } of readings()) {
    test(`are added, arranged and used, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const slug = `again-${options.javaScriptEnabled ? 'live' : 'plain'}-${german ? 'de' : 'en'}`
      const page = await work.open('/new/pipelines', options)
      const form = page.locator('#new-form')
      await form.locator('[name=title]').fill(`Again, ${name}`)
      await form.locator('[name=name]').fill(slug)
      await form.locator('[name="stages/0/title"]').fill('Due soon')
      await form.locator('[name="stages/0/likelihood"]').fill('60')
      await form.locator('[name="stages/1/title"]').fill('Offer sent')
      await form.locator('[name="lostReasons"]').fill('Too expensive\nNo budget')
      await send(page, form.locator('.send [type=submit]'))
      await page.locator('#told', { hasText: `Again, ${name}:` }).waitFor()
      const [due, offer] = await stagesOf(slug)
      assert.deepEqual([due?.name, due?.likelihood, offer?.name], ['due-soon', 60, 'offer-sent'])

      await page.goto(`${work.service.url}/pipelines/${slug}`)
      const edit = page.locator('#edit-form')
      await edit.locator('[name="stages/1/title"]').fill('Offer is out')
      await edit.locator('[name="stages/1/staleAfter"]').fill('14')
      await edit.locator('.rows li').nth(1).locator('.several summary').first().click()
      await edit.locator('[name="stages/1/requires[]"][value=owner]').check()
      await edit.locator('[name="stages/2/title"]').fill('Signed')
      await send(page, edit.locator('.send [type=submit]'))
      await page.locator('#edit-form [name="stages/2/title"][value=Signed]').waitFor()
      await submit(page, german ? 'Signed nach oben' : 'Move Signed up')
      await page.locator('#edit-form [name="stages/1/title"][value=Signed]').waitFor()
      assert.deepEqual(
        (await stagesOf(slug)).map((stage) => [stage.name, stage.title, stage.staleAfter, stage.requires]),
        [
          ['due-soon', 'Due soon', null, []],
          ['signed', 'Signed', null, []],
          ['offer-sent', 'Offer is out', 14, ['owner']],
        ],
      )
      const signed = page.locator('#edit-form .rows li').nth(1)
      await signed.locator('summary', { hasText: german ? 'Entfernen' : 'Remove' }).click()
      await signed.locator('[name="stages/1/_remove[]"]').last().check()
      await send(page, page.locator('#edit-form .send [type=submit]'))
      await page.locator('#edit-form [name="stages/1/title"][value="Offer is out"]').waitFor()

      const deal = await made(DEALS, { name: `Theirs, ${name}`, price: 5, pipeline: slug })
      await page.goto(`${work.service.url}/board?pipeline=${slug}`)
      const current = page.getByRole('navigation', { name: 'Pipeline' }).locator('[aria-current]')
      assert.equal(await current.innerText(), `Again, ${name}`)
      assert.match(await page.locator('.column').first().innerText(), /^Due soon[\s\S]*Theirs/)
      assert.equal(await page.locator('.column').count(), 2)
      if (options.javaScriptEnabled) {
        await page.locator('.card .on').click()
        await page.locator('.toast').getByRole('link').click()
        await page.waitForURL(`${work.service.url}${DEALS}/${deal}/actions/move`)
      }
      await page.goto(`${work.service.url}/?pipeline=${slug}`)
      assert.equal(await current.innerText(), `Again, ${name}`)
      assert.match(await page.locator('#numbers').innerText(), /Due soon[\s\S]*Offer is out/)
      await page.goto(`${work.service.url}/`)
      for (const row of await page.locator('.bars tr:has(.stage)').all()) {
        const [stage, bar] = [await row.locator('.stage').boundingBox(), await row.locator('.drawn svg').boundingBox()]
        assert.ok(stage !== null && bar !== null && stage.x + stage.width <= bar.x, await row.innerText())
      }

      await page.goto(`${work.service.url}${DEALS}/${deal}/actions/cancel`)
      const offered = await page
        .locator('datalist option')
        .evaluateAll((all) => all.map((each) => each.getAttribute('value')))
      if (!options.javaScriptEnabled) assert.deepEqual(offered, ['Too expensive', 'No budget'])
      await page.goto(`${work.service.url}${DEALS}/${deal}`)
      await page.locator('#op-move > summary').click()
      const stages = page.locator('#op-move select[name=stage]')
      await stages.focus()
      const shown = page.locator(
        `#op-move optgroup${options.javaScriptEnabled ? ':not([hidden])' : '[data-here]'} option`,
      )
      assert.deepEqual(await shown.allTextContents(), ['Due soon', 'Offer is out'])
      await stages.selectOption('offer-sent')
      await page.locator('#op-move select[name=pipeline]').selectOption('sales')
      if (options.javaScriptEnabled) assert.deepEqual([await stages.inputValue(), await shown.count()], ['', 5])
      else await stages.selectOption('')
      await send(page, page.locator('#op-move-form [type=submit]'))
      const pipeline = german ? 'Verkauf' : 'Sales'
      await page.locator('#history', { hasText: new RegExp(pipeline) }).waitFor()
      await page.goto(`${work.service.url}/pipelines/${slug}`)
      const remove = page.locator('#remove-form [type=submit]')
      await remove.click()
      if (options.javaScriptEnabled) await submit(page, german ? 'Diese Pipeline löschen' : 'Delete this pipeline')
      await page.waitForURL(`${work.service.url}/pipelines`)
      assert.equal((await work.service.request('GET', `/pipelines/${slug}`)).status, 404)
      await work.close(page)
    })
  }
})
