import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { desk, editing, follow, openActions, submit } from '../support/browser/desk.ts'
import { readings } from '../support/browser/ways.ts'
import { DEALS } from '../support/service/making-deals.ts'

// Fields that admins added, as people meet them, in English and German, with and without script.

const work = desk()

const values = [
  { value: 'retail', title: 'Retail', titles: { de: 'Handel' } },
  { value: 'health', title: 'Health', titles: { de: 'Gesundheit' } },
  { value: 'public', title: 'Public sector', titles: { de: 'Behörden' } },
]

const fields = [
  { name: 'branch', title: 'Branch', titles: { de: 'Branche' }, kind: 'choice', options: { values } },
  { name: 'topics', title: 'Topics', titles: { de: 'Themen' }, kind: 'choices', options: { values } },
  { name: 'budget', title: 'Budget', kind: 'amount' },
  { name: 'renewal', title: 'Renewal', titles: { de: 'Verlängerung' }, kind: 'date' },
  { name: 'partner', title: 'Partner', titles: { de: 'Vermittler' }, kind: 'link', options: { to: 'customer' } },
  { name: 'hotline', title: 'Hotline', kind: 'phone' },
]

async function made(path: string, body: object): Promise<string> {
  const answer = await work.service.request('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body.id)
}

const send = async (page: Page, button: Locator): Promise<void> => submit(page, await button.innerText())

suite('fields that were added', () => {
  before(async () => {
    for (const field of fields) await made('/fields', { on: 'deal', ...field })
  })

  for (const { name, ...options } of readings()) {
    test(`are filled in, shown, changed and emptied, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const partner = await made('/customers', { name: `Zora ${name}` })
      const page = await work.open('/new/deals', options)
      const form = page.locator('#new-form')
      await form.locator('[name=name]').fill(`Own, ${name}`)
      await form.locator('[name=price]').fill('5')
      await form.getByLabel(german ? 'Branche' : 'Branch').selectOption(german ? 'Gesundheit' : 'Health')
      await form.getByLabel(german ? 'Handel' : 'Retail', { exact: true }).check()
      await form.getByLabel(german ? 'Behörden' : 'Public sector').check()
      await form.getByLabel('Budget').fill(german ? '1.234,5' : '1,234.5')
      await form.getByLabel('Hotline').fill('+49 40 1234')
      await send(page, form.locator('[type=submit]').last())
      const [deal] = await dealsOf(`name=${encodeURIComponent(`Own, ${name}`)}`)
      const own = ownOf(deal)
      assert.deepEqual([own.branch, own.topics, own.budget], ['health', ['retail', 'public'], 1234.5])

      await page.goto(`${work.service.url}${DEALS}/${deal?.id}`)
      const facts = page.locator('#facts')
      const shown = german
        ? /Branche\s+Gesundheit\s+Themen\s+Handel, Behörden\s+Budget\s+1\.234,50 EUR/
        : /Branch\s+Health\s+Topics\s+Retail, Public sector\s+Budget\s+1,234\.50 EUR/
      assert.match(await facts.innerText(), shown)
      assert.equal(await facts.getByRole('link', { name: '+49 40 1234' }).getAttribute('href'), 'tel:+49401234')

      await editing(page)
      const change = page.locator('#op-set-fields-form')
      for (const box of await change.getByRole('checkbox').all()) await box.uncheck()
      await change.locator('[name="own.renewal"]').fill('2027-02-28')
      await pickPartner(change, partner, `Zora ${name}`, options.javaScriptEnabled)
      await send(page, change.locator('[type=submit]').last())
      const [changed] = await dealsOf(`name=${encodeURIComponent(`Own, ${name}`)}`)
      const after = ownOf(changed)
      assert.deepEqual([after.topics, after.renewal, after.partner], [null, '2027-02-28', Number(partner)])
      const told = german ? /Gesetzt: Themen, Verlängerung und Vermittler/ : /Set: Topics, Renewal, Partner/
      await page.locator('#history', { hasText: told }).waitFor()

      await page.goto(`${work.service.url}${DEALS}/${deal?.id}/history/2`)
      const entry = await page.locator('#main').innerText()
      assert.match(entry, german ? /Verlängerung\s+28\.02\.2027/ : /Renewal\s+28 Feb 2027/)
      assert.match(entry, new RegExp(`${german ? 'Vermittler' : 'Partner'}\\s+Zora ${name}`))
      await page.goto(`${work.service.url}${DEALS}/${deal?.id}?revision=1`)
      assert.match(await page.locator('#main').innerText(), german ? /Themen\s+Handel, Beh/ : /Topics\s+Retail, Pub/)
      await work.close(page)
    })
  }

  for (const { name, ...options } of readings()) {
    test(`narrow a list, and are columns of it, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const partner = await made('/customers', { name: `Wim ${name}` })
      await made(DEALS, { name: `With, ${name}`, price: 5, own: { partner: Number(partner), branch: 'retail' } })
      await made(DEALS, { name: `Without, ${name}`, price: 5, own: { branch: 'health' } })
      const page = await work.open(`${DEALS}?fields=own.branch,own.partner`, options)
      const filter = page.locator('.filters')
      await filter.locator('summary').click()
      await filter.getByLabel(german ? 'Branche' : 'Branch').selectOption('retail')
      const words = filter.getByLabel(german ? 'Vermittler' : 'Partner')
      await words.fill(`Wim ${name}`)
      if (options.javaScriptEnabled) await page.getByRole('listbox').getByRole('option').first().click()
      else await follow(page, filter.locator('[type=submit]'))
      const chips = page.locator('.chips')
      await chips.getByText(`Wim ${name}`).waitFor()
      assert.match(await chips.innerText(), german ? /Branche: Handel/ : /Branch is Retail/)
      const row = page.locator('tbody tr')
      assert.equal(await row.count(), 1)
      assert.match(await row.innerText(), german ? /With, .*\s+Handel\s+Wim/ : /With, .*\s+Retail\s+Wim/)
      await work.close(page)
    })
  }
})

test('long values leave a list readable: they have a few lines, and names and dates stay whole on a phone', async () => {
  await made('/fields', { on: 'deal', name: 'site', title: 'Site', kind: 'url' })
  await made('/fields', { on: 'deal', name: 'story', title: 'Story', kind: 'text', options: { max: 1000 } })
  const own = {
    site: `https://example.org/${'long'.repeat(60)}`,
    story: 'They come back to us when the budget is known. '.repeat(20),
    ...{ branch: 'retail', renewal: '2027-02-28', hotline: '+49 40 1234' },
  }
  await made(DEALS, { name: 'Maintenance of nine lifts', price: 5, own })
  const columns = ['own.story', 'own.site', 'own.renewal', 'own.branch', 'own.hotline', 'price', 'stage', 'owner']
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await work.open(`${DEALS}?name=Maintenance+of+nine+lifts&fields=${columns}`, { viewport })
    const sizeOf = async (cell: Locator) => (await cell.boundingBox()) ?? { width: 0, height: 0 }
    assert.ok((await sizeOf(page.locator('tbody tr'))).height < 150)
    for (const cell of await page.locator('td .long').all()) {
      const { width } = await sizeOf(cell)
      assert.ok(width > 150 && width < 500, String(width))
    }
    assert.ok((await sizeOf(page.locator('tbody th'))).width >= 144)
    assert.ok((await sizeOf(page.locator('td time'))).height < 30)
    await work.close(page)
  }
})

for (const javaScriptEnabled of [true, false]) {
  test(`a form leaves the lines of every text as they are, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    const own = { name: `lines${javaScriptEnabled}`, kind: 'text', options: { max: 100 } }
    await made('/fields', { on: 'customer', title: 'Lines', ...own })
    const texts = {
      ...{ company: '\nRuiz\ne Hijos', phone: '+34 1\n+34 2', reference: `A\r\n${javaScriptEnabled}` },
      own: { [own.name]: 'first\nsecond\n' },
    }
    const path = `/customers/${await made('/customers', { name: 'Ana\nRuiz', ...texts })}`
    const page = await work.open(path, { javaScriptEnabled })
    if (!(await page.locator('#edit-form').isVisible())) await page.locator('summary', { hasText: /^Edit/ }).click()
    const form = page.locator('#edit-form')
    await form.locator('[name=age]').fill('41')
    await send(page, form.locator('[type=submit]').last())
    const { body } = await work.service.request('GET', `${path}/history?sort=-revision&pageSize=1`)
    const [last] = body.items as unknown as readonly [{ readonly params: object }]
    assert.deepEqual(last.params, { age: 41 }, JSON.stringify(last))
    await work.close(page)
  })
}

test('a refused form shows what its links lead to by name', async () => {
  const partner = await made('/customers', { name: 'Named partner' })
  const deal = await made(DEALS, { name: 'Linked', price: 5, own: { partner: Number(partner) } })
  const page = await work.open(`${DEALS}/${deal}`)
  await editing(page)
  const form = page.locator('#op-set-fields-form')
  await form.locator('[name="own.hotline"]').fill('1')
  await work.service.request('PATCH', `${DEALS}/${deal}`, { body: { name: 'Linked again' } })
  await send(page, form.locator('[type=submit]'))
  await page.locator('#again [name="own.hotline"]').waitFor()
  assert.equal(await page.locator('#again').getByLabel('Partner').inputValue(), 'Named partner')
  await work.close(page)
})

const dealsOf = async (query: string): Promise<readonly { readonly [field: string]: unknown }[]> =>
  (await work.service.request('GET', `${DEALS}?${query}`)).body.items as never

const ownOf = (deal: { readonly [field: string]: unknown } | undefined): { readonly [field: string]: unknown } =>
  (deal?.own ?? {}) as { readonly [field: string]: unknown }

/** By its words if there is script, and by its number otherwise. */
async function pickPartner(form: Locator, id: string, words: string, script: boolean): Promise<void> {
  if (!script) return form.locator('[name="own.partner"]').fill(id)
  const picker = form.getByRole('combobox', { name: /Partner|Vermittler/ })
  await picker.fill(words)
  await form.getByRole('option', { name: words }).click()
}

/** Opens a part of the entry of a list. */
const unfold = (form: Locator, at: number, text: string): Promise<void> =>
  form.locator('.rows li').nth(at).locator('summary', { hasText: text }).click()

suite('an admin', () => {
  for (const { name, ...options } of readings()) {
    test(`adds a field, renames and orders its choices, sees who uses it, retires and restores it, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const field = `size${(options.javaScriptEnabled ? 'A' : 'B') + (german ? 'De' : 'En')}`
      const page = await work.open('/new/fields', options)
      const form = page.locator('#new-form')
      await form.locator('[name=title]').fill(`Size, ${name}`)
      await form.locator('[name=on]').selectOption('deal')
      await form.locator('[name=kind]').selectOption('choice')
      await form.locator('[name=name]').fill(field)
      await form.locator('[name="options/values"]').fill('Small\nlarge')
      await form.locator('.more > summary').click()
      await form.locator('[name="titles/de"]').fill('Größe')
      await send(page, form.locator('[type=submit]').last())
      const [added] = await itemsOf(`/fields?name=${field}`)
      const choices = [
        { value: 'Small', title: 'Small' },
        { value: 'large', title: 'large' },
      ]
      assert.deepEqual([added?.options, added?.titles], [{ values: choices }, { de: 'Größe' }])
      await made(DEALS, { name: `Sized, ${name}`, price: 5, own: { [field]: 'large' } })
      const view = await made('/views', {
        ...{ name: `Large, ${name}`, collection: 'deals', query: `own.${field}=large` },
        shared: true,
      })

      await page.goto(`${work.service.url}/fields/${added?.id}`)
      const uses = await page.locator('#uses').innerText()
      assert.match(uses, german ? /Mit einem Wert\s+1 Deal\s/ : /With a value\s+1 deal\s/)
      assert.match(uses, new RegExp(`Large, ${name}`))

      const edit = page.locator('#edit-form')
      const title = edit.locator('[name="options/values/1/title"]')
      const [box, row] = [await title.boundingBox(), await edit.locator('.rows li').nth(1).boundingBox()]
      assert.ok(Number(box?.width) > Number(row?.width) / 2, 'there is room for a title')
      await title.fill('Large')
      const inOtherLanguages = german ? 'Titel in anderen Sprachen' : 'Titles in other languages'
      await unfold(edit, 1, inOtherLanguages)
      await edit.locator('[name="options/values/1/titles/de"]').fill('Groß')
      await edit.locator('.rows > .more > summary').click()
      await edit.locator('[name="options/values/2/title"]').fill('Huge')
      await send(page, edit.locator('.send [type=submit]'))
      await page.locator('#edit-form [name="options/values/2/title"][value="Huge"]').waitFor()
      const up = german ? 'Groß nach oben' : 'Move Large up'
      // With script it is saved with the rest.
      if (options.javaScriptEnabled) await page.getByRole('button', { name: up }).click()
      await submit(page, options.javaScriptEnabled ? (german ? 'Speichern' : 'Save') : up)
      await page.locator('#edit-form [name="options/values/0/title"][value="Large"]').waitFor()
      const [changed] = await itemsOf(`/fields?name=${field}`)
      assert.deepEqual(changed?.options, {
        values: [
          { value: 'large', title: 'Large', titles: { de: 'Groß' } },
          { value: 'Small', title: 'Small' },
          { value: 'Huge', title: 'Huge' },
        ],
      })

      await work.service.request('DELETE', `/views/${view}`)
      for (const at of [2, 0]) {
        await unfold(edit, at, german ? 'Entfernen' : 'Remove')
        await page.locator(`#edit-form [name="options/values/${at}/_remove[]"]`).last().check()
      }
      await page.locator('#edit-form [name="replaceBy/large"]').selectOption({ label: 'Small' })
      await send(page, page.locator('#edit-form .send [type=submit]'))
      while ((await itemsOf(`/fields?name=${field}`))[0]?.replaceBy !== null) await pause(20)
      await page.goto(`${work.service.url}/fields/${added?.id}`)
      await page.locator('#edit-form [name="options/values/0/title"][value="Small"]').waitFor()
      const [fewer] = await itemsOf(`/fields?name=${field}`)
      assert.partialDeepStrictEqual(fewer, { options: { values: [{ value: 'Small' }] }, replaceBy: null })

      const retire = page.locator('form[action$="/retirements"] button')
      await openActions(page)
      if (options.javaScriptEnabled) {
        await retire.click()
        await submit(page, german ? 'Dieses Feld deaktivieren' : 'Retire this field')
      } else await follow(page, retire)
      const back = page.locator('form[action$="/restorations"] button')
      await back.waitFor()
      assert.match(await page.locator('#uses').innerText(), german ? /30 Tage/ : /30 days/)
      await send(page, back)
      await retire.waitFor({ state: 'attached' })
      const [restored] = await itemsOf(`${DEALS}?own.${field}=Small`)
      assert.equal(restored?.name, `Sized, ${name}`)
      await work.close(page)
    })
  }
})

test('the page of a new field has the parts of its kind, and sends these only', async () => {
  const parts = ':is([name^="options/"], [name=unique], [name=searched], [name=indexed])'
  const shown = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('#new-form ${parts}')]
      .flatMap((each) => (each.checkVisibility() ? [each.name] : []))`)
  const page = await work.open('/new/fields')
  const form = page.locator('#new-form')
  const [kind, choices] = [form.locator('[name=kind]'), form.locator('[name="options/values"]')]
  assert.deepEqual(await shown(page), [])
  await kind.selectOption('choice')
  assert.deepEqual(await shown(page), ['options/values', 'indexed'])
  await choices.fill('Retail')
  await kind.selectOption('link')
  assert.deepEqual(await shown(page), ['options/to', 'indexed'])
  await kind.selectOption('text')
  assert.deepEqual(await shown(page), ['options/max', 'unique', 'searched', 'indexed'])
  assert.equal(await page.getByText('For the kind').count(), 0)
  await form.locator('[name=title]').fill('Sector')
  await form.locator('[name=on]').selectOption('task')
  await form.locator('[name=name]').fill('not a name')
  await send(page, form.locator('[type=submit]').last())
  assert.equal(await page.locator('.fault').count(), 1)
  assert.deepEqual(await shown(page), ['options/max', 'unique', 'searched', 'indexed'])
  await work.close(page)
  const plain = await work.open('/new/fields', { javaScriptEnabled: false })
  for (const words of ['For the kinds “Choice” and “Several choices”.', 'For the kind “Link”.', 'For the kind “Text”.'])
    assert.ok(await plain.getByText(words).isVisible(), words)
  await work.close(plain)
})

const itemsOf = async (path: string): Promise<readonly { readonly [field: string]: unknown }[]> =>
  (await work.service.request('GET', path)).body.items as never
