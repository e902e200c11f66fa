import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { desk, openActions, submit } from '../support/browser/desk.ts'
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
      await edit.locator('.rows > .more > summary').click()
      await edit.locator('[name="stages/2/title"]').fill('Signed')
      await send(page, edit.locator('.send [type=submit]'))
      await page.locator('#edit-form [name="stages/2/title"][value=Signed]').waitFor()
      const up = german ? 'Signed nach oben' : 'Move Signed up'
      // With script it is saved with the rest.
      if (options.javaScriptEnabled) await page.getByRole('button', { name: up }).click()
      await submit(page, options.javaScriptEnabled ? (german ? 'Speichern' : 'Save') : up)
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
        const dialog = page.getByRole('dialog')
        await dialog.locator('#missing').waitFor()
        await dialog.getByRole('button', { name: german ? 'Schließen' : 'Close' }).click()
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
      if (options.javaScriptEnabled) {
        await page.locator('[name=reason]').click()
        const reasons = page.locator('#op [role=option]')
        await reasons.first().waitFor()
        assert.deepEqual(await reasons.allTextContents(), ['Too expensive', 'No budget'])
      } else assert.deepEqual(offered, ['Too expensive', 'No budget'])
      const asked = await page.locator('#op .field :is(input, textarea)').all()
      assert.equal(await asked[0]?.getAttribute('name'), 'reason', 'what a deal was lost for comes first')
      await page.goto(`${work.service.url}${DEALS}/${deal}`)
      await openActions(page)
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

  test('has a name made of its title, and five stages in a table that is seen at once', async () => {
    const page = await work.open('/new/pipelines')
    const form = page.locator('#new-form')
    await form.locator('[name=title]').pressSequentially('Größere Verträge 2')
    assert.equal(await form.locator('[name=name]').inputValue(), 'grossere-vertrage-2')
    await form.locator('[name=name]').fill('large')
    await form.locator('[name=title]').fill('Large')
    assert.equal(await form.locator('[name=name]').inputValue(), 'large', 'one that was typed stays')
    await page.goto(`${work.service.url}/pipelines/sales`)
    const { height = 0 } = (await page.locator('#edit-form .rows ol').first().boundingBox()) ?? {}
    assert.ok(height > 100 && height <= 400, `${height}`)
    const rows = page.locator('#edit-form .rows ol > li')
    await rows
      .nth(4)
      .locator('.handle')
      .dragTo(rows.nth(1), { targetPosition: { x: 40, y: 4 } })
    const titles = await rows
      .locator('[name$="/title"][value]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('value')))
    assert.deepEqual(titles, ['Lead', 'Contract', 'Qualified', 'Proposal', 'Negotiation'])
    await page.getByRole('button', { name: 'Move Contract up' }).press('Enter')
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Move Contract down')
    await page.getByRole('button', { name: 'Move Contract down' }).press('Enter')
    await send(page, page.locator('#edit-form .send [type=submit]'))
    assert.deepEqual(
      (await stagesOf('sales')).map(({ name }) => name),
      ['lead', 'contract', 'qualified', 'proposal', 'negotiation'],
    )
    await work.close(page)
  })

  test('one that was changed is deleted on the same page, unless it became the default', async () => {
    for (const [name, title] of [
      ['kept', 'Kept'],
      ['tidied', 'Tidied'],
    ] as const)
      await made('/pipelines', { name, title, stages: [{ name: 'only' }] })
    const page = await work.open('/pipelines/kept')
    const save = page.locator('#edit-form .send [type=submit]')
    const remove = page.locator('#remove-form [type=submit]')
    await page.locator('#edit-form [name=default]').selectOption('true')
    await send(page, save)
    await page.getByText('This is the default pipeline').waitFor()
    assert.equal(await remove.count(), 0)
    await work.service.request('PATCH', '/pipelines/sales', { body: { default: true } })
    await page.goto(`${work.service.url}/pipelines/tidied`)
    await page.locator('#edit-form [name=title]').fill('Tidier')
    await send(page, save)
    await remove.click()
    await submit(page, 'Delete this pipeline')
    await page.waitForURL(`${work.service.url}/pipelines`)
    assert.equal((await work.service.request('GET', '/pipelines/tidied')).status, 404)
    await work.service.request('DELETE', '/pipelines/kept')
    await work.close(page)
  })

  test('a move that lacks something asks for it, and is done as soon as it is there', async () => {
    await made('/fields', { on: 'deal', name: 'fee', title: 'Fee', kind: 'integer' })
    const requires = ['owner', 'own.fee']
    const stages = [{ name: 'asked' }, { name: 'agreed', requires }]
    await made('/pipelines', { name: 'gated', title: 'Gated', stages })
    const [onBoard, onPage] = [
      await made(DEALS, { name: 'Gate of the yard', price: 5, pipeline: 'gated' }),
      await made(DEALS, { name: 'Gate of the park', price: 5, pipeline: 'gated' }),
    ]
    const stageOf = async (id: string) => (await work.service.request('GET', `${DEALS}/${id}`)).body.stage
    const page = await work.open('/board?pipeline=gated')
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    const fillIn = async () => {
      const owner = page.locator('#missing-assign [name=owner]')
      await owner.and(page.getByRole('combobox')).waitFor()
      await owner.fill('Ada')
      await submit(page, 'Assign')
      await page.getByText('to enter Agreed: Fee.').waitFor()
      await page.locator('#missing-set-fields [name="own.fee"]').fill('7')
      await submit(page, 'Edit more fields')
    }
    await page.locator(`#deal-${onBoard} .on`).click()
    await page.getByRole('dialog').locator('#missing-assign input:focus').waitFor()
    await fillIn()
    await page.locator(`[data-stage=agreed] #deal-${onBoard}`).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)

    // This page has no field for a person, and so no list of people.
    await page.goto(`${work.service.url}${DEALS}/${onPage}/actions/move`)
    await page.locator('[name=stage]').selectOption('agreed')
    await submit(page, 'Move to a stage')
    await fillIn()
    await page.locator('#told', { hasText: 'Agreed' }).waitFor()
    assert.deepEqual([await stageOf(onBoard), await stageOf(onPage), faults], ['agreed', 'agreed', []])
    await work.close(page)
  })

  test('a stage that goes while a card is dragged to it refuses the card, and the board is whole again', async () => {
    const stages = [{ name: 'here' }, { name: 'going' }]
    await made('/pipelines', { name: 'short', title: 'Short', stages })
    const deal = await made(DEALS, { name: 'Dragged', price: 5, pipeline: 'short' })
    const page = await work.open('/board?pipeline=short')
    const going = page.locator('[data-stage=going]')
    await page.locator(`#deal-${deal}`).hover({ position: { x: 60, y: 10 } })
    await page.mouse.down()
    await page.mouse.move(300, 300, { steps: 3 })
    await going.hover()
    await work.service.request('PATCH', '/pipelines/short', { body: { stages: stages.slice(0, 1) } })
    await page.mouse.up()
    await page.locator('.toast', { hasText: /^Not done: Stage: must be/ }).waitFor()
    await going.waitFor({ state: 'detached' })
    await page.locator(`[data-stage=here] #deal-${deal}`).waitFor()
    assert.equal(await page.locator('.outcomes').isVisible(), false)
    await work.close(page)
  })
})
