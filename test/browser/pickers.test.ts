import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { desk, follow, submit } from '../support/browser/desk.ts'
import { scripting } from '../support/browser/ways.ts'
import { DEALS, openDeal } from '../support/service/making-deals.ts'

const work = desk()
const { open, close } = work
const phone = { viewport: { width: 390, height: 844 } }

async function customer(given: { readonly [field: string]: string }): Promise<number> {
  const { body } = await work.service.request('POST', '/customers', { body: given })
  return Number(body.id)
}

const dealsOf = async (query: string): Promise<readonly { readonly [field: string]: unknown }[]> =>
  (await work.service.request('GET', `${DEALS}?${query}`)).body.items as never

suite('a customer is picked by searching', () => {
  test('as one types, with the keys alone, and namesakes are told apart', async () => {
    await customer({ name: 'Zoë Namesake', company: 'Hillside Bakery' })
    const meant = await customer({ name: 'Zoë Namesake', company: 'Valley Mill', email: 'zoe@mill.example' })
    const page = await open('/board', phone)
    // The empty board has a second one, which leads to the same page.
    await follow(page, page.getByRole('link', { name: 'New deal', exact: true }).first())
    await page.locator('[name=name]:focus').fill('Flour for a year')
    await page.getByLabel('Price').fill('900')
    const picker = page.getByRole('combobox', { name: 'Customer' })
    // What was found for the text so far would give way to what is found for all of it, and what is pointed at with it.
    await page.route(/[?&]q=n/, (route) =>
      route.request().url().endsWith('q=namesake%20zoe') ? route.continue() : route.abort(),
    )
    await picker.pressSequentially('namesake zoe')
    await page.getByRole('option').nth(1).waitFor()
    assert.equal(await picker.getAttribute('aria-expanded'), 'true')
    assert.match((await page.getByRole('option').allInnerTexts()).join('\n'), /Hillside Bakery[\s\S]+Valley Mill/)
    await picker.press('ArrowDown')
    await picker.press('ArrowDown')
    await picker.press('Enter')
    assert.equal(await picker.inputValue(), 'Zoë Namesake')
    assert.match(await page.locator('#new-form').innerText(), /zoe@mill\.example · Valley Mill/)
    await submit(page, 'Create a deal')
    assert.equal(new URL(page.url()).pathname, '/board', 'back where it was asked for')
    const [made] = await dealsOf('name=Flour%20for%20a%20year')
    assert.equal(made?.customerId, meant)
    await page.locator('.card h3 a:focus', { hasText: 'Flour for a year' }).waitFor()
    await close(page)
  })

  test('a chosen currency does not ask again', async () => {
    const page = await open('/problems')
    await page.clock.install()
    await page.goto(`${work.service.url}/new/deals`)
    const currency = page.getByRole('combobox', { name: 'Currency' })
    for (const choose of [() => currency.press('Enter'), () => page.getByRole('option').first().click()]) {
      await currency.fill('franc')
      await page.clock.runFor(1000)
      await page.getByRole('option').first().waitFor()
      await currency.press('ArrowDown')
      await choose()
      await page.clock.runFor(1000)
      assert.match(await currency.inputValue(), /^[A-Z]{3}$/)
      assert.equal(await currency.getAttribute('aria-expanded'), 'false')
    }
    await close(page)
  })

  test('and stays picked for whoever leaves the page and comes back', async () => {
    const meant = await customer({ name: 'Yara Back', company: 'Return Ltd' })
    const page = await open('/new/deals')
    await page.locator('[name=name]:focus').fill('There and back')
    await page.getByLabel('Price').fill('900')
    const picker = page.getByRole('combobox', { name: 'Customer' })
    await picker.pressSequentially('yara')
    await page.getByRole('option', { name: 'Yara Back' }).click()
    await follow(page, page.getByRole('link', { name: 'Board' }).first())
    await page.goBack()
    assert.equal(await picker.inputValue(), 'Yara Back')
    assert.match(await page.locator('#new-form').innerText(), /Return Ltd/)
    await submit(page, 'Create a deal')
    const [made] = await dealsOf('name=There%20and%20back')
    assert.equal(made?.customerId, meant)
    await page.goto(`${work.service.url}/new/deals`)
    assert.equal(await picker.inputValue(), '', 'another visit begins anew')
    await close(page)
  })

  test('without script the form comes back with what there is to choose from', async () => {
    await customer({ name: 'Twin Peakes', company: 'North' })
    const meant = await customer({ name: 'Twin Peakes', company: 'South' })
    const page = await open('/new/deals', { javaScriptEnabled: false })
    const form = page.locator('#new-form')
    await form.getByLabel('Name', { exact: true }).fill('Two towers')
    await form.getByLabel('Price').fill('7')
    await form.getByLabel('Customer', { exact: true }).fill('nobody of that name')
    await submit(page, 'Create a deal')
    assert.match(await form.innerText(), /No customer matches “nobody of that name”/)
    await form.getByLabel('Customer', { exact: true }).fill('twin')
    await submit(page, 'Create a deal')
    assert.equal(await form.getByRole('radio').count(), 2)
    await form.getByRole('radio', { name: 'South' }).check()
    await submit(page, 'Create a deal')
    assert.equal(await page.locator('h1').innerText(), 'Two towers')
    assert.equal((await dealsOf('name=Two%20towers'))[0]?.customerId, meant)
    await close(page)
  })

  test('a number works as it always did', async () => {
    const meant = await customer({ name: 'By Number' })
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}/actions/change-customer`, { javaScriptEnabled: false })
    await page.getByLabel('Customer', { exact: true }).fill(String(meant))
    await submit(page, 'Change the customer')
    assert.match(await page.locator('#facts').innerText(), /By Number/)
    await close(page)
  })
})

suite('a deal for a new customer', () => {
  for (const javaScriptEnabled of scripting()) {
    test(`both are made at once, or neither, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const name = `Nova ${javaScriptEnabled ? 'Scripta' : 'Simplex'}`
      const page = await open('/new/deals', { javaScriptEnabled })
      const form = page.locator('#new-form')
      await form.evaluate((element) => element.setAttribute('novalidate', ''))
      await form.getByLabel('Name', { exact: true }).fill(`First order of ${name}`)
      await form.getByLabel('Price').fill('12.345')
      await form.getByText('New customer').click()
      await form.getByLabel('Customer name').fill(name)
      await form.getByLabel('Customer email').fill('no address')
      await submit(page, 'Create a deal')
      // Both faults at once, each beside its field; nothing was made.
      assert.equal(await form.locator('.fault').count(), 2)
      assert.equal(await form.getByLabel('Customer name').inputValue(), name)
      assert.equal(
        (
          (await work.service.request('GET', `/customers?name=${encodeURIComponent(name)}`)).body
            .items as readonly unknown[]
        ).length,
        0,
      )
      await form.getByLabel('Price').fill('12.34')
      await form.getByLabel('Customer email').fill('nova@example.com')
      await submit(page, 'Create a deal')
      assert.equal(await page.locator('h1').innerText(), `First order of ${name}`)
      assert.match(await page.locator('#facts').innerText(), new RegExp(name))
      await close(page)
    })
  }
})

test('a German is offered currencies and told what is wrong in German, without script', async () => {
  const page = await open('/new/deals', { javaScriptEnabled: false, locale: 'de-DE' })
  const form = page.locator('#new-form')
  assert.equal(await form.getByLabel('Währung').getAttribute('list'), 'currencies')
  assert.equal(await page.locator('#currencies [value=CHF]').getAttribute('label'), 'Schweizer Franken')
  await form.evaluate((element) => element.setAttribute('novalidate', ''))
  await form.getByLabel('Preis', { exact: true }).fill('1,234')
  await form.getByLabel('Kunde', { exact: true }).fill('niemand')
  await submit(page, 'Deal anlegen')
  assert.match(await page.getByRole('alert').innerText(), /Im Formular stimmt etwas nicht/)
  assert.deepEqual(await form.locator('.fault').allInnerTexts(), [
    'wird benötigt',
    'darf in EUR höchstens 2 Nachkommastellen haben',
    'Kein Kunde gefunden für „niemand“.',
  ])
  await page.goto(`${work.service.url}${DEALS}?prise=1`)
  assert.match(await page.locator('main').innerText(), /ist hier nicht bekannt, meinten Sie price\?/)
  assert.equal(await page.locator('main [lang=en]').count(), 0)
  await close(page)
})
