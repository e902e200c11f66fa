import assert from 'node:assert/strict'
import { test as anyTest, suite } from 'node:test'
import type { Page } from 'playwright-core'
import {
  choose,
  desk,
  field,
  filterBy,
  follow,
  holdBack,
  marks,
  noteText,
  openAccount,
  press,
  submit,
  unfold,
} from '../support/browser/desk.ts'
import { firstDelivery } from '../support/browser/sights.ts'
import { scripting } from '../support/browser/ways.ts'
import { everySecond } from '../support/inputs/drawn.ts'
import { bearer, runClosedService } from '../support/service/closed-service.ts'
import { DEALS, openDeal } from '../support/service/making-deals.ts'

const test = everySecond(anyTest)
const work = desk()
const { open, close } = work

suite('customers', () => {
  test('are filtered by their age with the links of the histogram, without script', async () => {
    for (const [name, age] of [
      ['Young', 24],
      ['Old', 71],
    ] as const) {
      await work.service.request('POST', '/customers', { body: { name, age, country: 'SE' } })
    }
    const page = await open('/customers?country=SE&min-age=1', { javaScriptEnabled: false })
    await follow(page, page.locator('.ages a', { hasText: '20–29' }))
    const chosen = `${work.service.url}/customers?country=SE&min-age=1&age.gte=20&age.lte=29`
    assert.equal(page.url(), chosen, 'beside the filters that hold')
    assert.deepEqual([...new Set(await page.locator('tbody th').allInnerTexts())], ['Young'])
    assert.equal(await page.getByLabel('Age from').inputValue(), '20')
    await follow(page, page.locator('.ages a[aria-current]'))
    assert.equal(page.url(), `${work.service.url}/customers?country=SE&min-age=1`)
    await close(page)
  })

  const chips = async (page: Page): Promise<readonly string[]> =>
    (await page.locator('.chips li').allInnerTexts()).map((each) => each.replace(/^Without\s| ×$/g, ''))

  test('filters are told in words, kept however they are spelled, and removed one by one', async () => {
    await work.service.request('POST', '/customers', { body: { name: 'Åsa Öst', age: 70, country: 'SE' } })
    const tree = 'or=(age.gte.65,children.gte.3)'
    const page = await open(`/customers?age%3E18&country=SE&country=FR&${tree}&per_page=5`, {
      javaScriptEnabled: false,
    })
    await filterBy(page, { Search: 'ASA' }, '')
    assert.equal(await page.locator('h1').innerText(), 'Customers')
    assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['Åsa Öst'])
    const [older, at, either, has] = [
      'Age more than 18',
      'Country is Sweden or France',
      'Age at least 65 or children at least 3',
      'Has “asa”',
    ]
    assert.deepEqual((await chips(page)).toSorted(), [older, at, either, has, 'Clear all'].toSorted())
    for (const [removed, ...left] of [
      [either, older, at, has, 'Clear all'],
      [at, older, has, 'Clear all'],
      [older, has],
    ]) {
      await follow(page, page.locator('.chips a', { hasText: removed ?? '' }))
      assert.deepEqual((await chips(page)).toSorted(), left.toSorted())
    }
    assert.equal(await page.getByRole('form', { name: 'Filter' }).getByLabel('Search').inputValue(), 'ASA')
    assert.match(page.url(), /per_page=5/)
    await close(page)
  })

  /** What a browser without script would show: the links are all there is to it. */
  const textAt = async (path: string): Promise<string> =>
    (await work.service.request('GET', path, { headers: { accept: 'text/html' } })).text
  const linkCalled = (name: string, text: string): string =>
    new RegExp(`<a href="([^"]+)"[^>]*>${name}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&') ??
    assert.fail(`no link ${name}`)
  const namesIn = (text: string): readonly string[] =>
    Array.from(text.matchAll(/<th scope="row">.*?<a [^>]*>([^<]+)<\/a>/gs), ([, name = '']) => name)

  test('are paged on and back with every parameter', async () => {
    for (let n = 1; n <= 5; n++) {
      await work.service.request('POST', '/customers', { body: { name: `Leafed ${n}`, age: 80 + n } })
    }
    const leafed = (...all: readonly number[]) => all.map((n) => `Leafed ${n}`)
    for (const query of [
      'q=leafed&limit=2&sort=name',
      '$filter=age+ge+81+and+contains(name,%27Leafed%27)&$top=2&$orderby=name',
      'or=(name.eq.Leafed+1,name.starts.Leafed)&page[size]=2&order=name.asc',
      'name.regex=Leafed&maxpagesize=2&offset=0&sort=name',
      'filter[name][contains]=leafed&per_page=2&page=1&sort=name',
    ]) {
      let text = await textAt(`/customers?${query}`)
      assert.deepEqual(namesIn(text), leafed(1, 2), query)
      for (const [link, ...expected] of [
        ['Next page', 3, 4],
        ['Next page', 5],
        ['Previous page', 3, 4],
        ['Previous page', 1, 2],
      ] as const) {
        text = await textAt(linkCalled(link, text))
        assert.deepEqual(namesIn(text), leafed(...expected), `${link} of ${query}`)
      }
    }
  })
})

suite('commands', () => {
  test('one is found by its id', async () => {
    const deal = await openDeal(work.service, { name: 'Under an id' })
    const body = { deal: deal.id, action: 'HoldDeal', params: { reason: 'credit check' } }
    await work.service.request('PUT', '/rest/commands/hold-0001', { body })
    const page = await open('/rest/commands', { javaScriptEnabled: false })
    await filterBy(page, { Id: 'hold-0001' }, '')
    assert.equal(page.url(), `${work.service.url}/rest/commands?id=hold-0001`)
    await follow(page, page.getByRole('link', { name: 'hold-0001', exact: true }))
    assert.match(await page.locator('.facts').innerText(), /HoldDeal[\s\S]*Under an id[\s\S]*credit check/)
    await close(page)
  })
})

suite('webhooks', () => {
  test('are added once, however often the button is pressed', async () => {
    const page = await open('/webhooks')
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await unfold(page, 'New webhook')
    await page.getByLabel('Address').fill('https://example.com/once')
    const send = await holdBack(page, '**/webhooks')
    await page.getByRole('button', { name: 'Subscribe' }).dblclick()
    send()
    const secret = page.locator('pre', { hasText: 'whsec_' })
    await secret.waitFor()
    assert.equal(sent.length, 1)
    await close(page)
    const { body } = await work.service.request('GET', '/webhooks')
    for (const { id } of body.items as readonly { readonly id: string }[])
      await work.service.request('DELETE', `/webhooks/${id}`)
  })

  test('are added, with a secret that is shown once, looked at, redelivered and removed', async () => {
    const page = await open('/webhooks', { javaScriptEnabled: false })
    await unfold(page, 'New webhook')
    await page.getByLabel('Address').fill('http://127.0.0.1:9/hook')
    await unfold(page, 'Choose events')
    await page.locator('[name="types.deal.*"]').check()
    await submit(page, 'Subscribe')
    assert.match(await page.locator('.fault').innerText(), /public address/)
    assert.equal(await page.getByLabel('Address').inputValue(), 'http://127.0.0.1:9/hook')
    assert.equal(await page.locator('[name="types.deal.*"]').isChecked(), true)
    await page.getByLabel('Address').fill('https://example.com/hook')
    await submit(page, 'Subscribe')
    assert.match(await page.locator('pre').innerText(), /^whsec_/)
    await follow(page, page.getByRole('link', { name: 'Webhooks' }).first())
    await follow(page, page.getByRole('link', { name: 'https://example.com/hook' }))
    assert.equal(await page.getByText('whsec_').count(), 0)
    const deal = await openDeal(work.service)
    await firstDelivery(work.service, new URL(page.url()).pathname)
    await follow(page, page.getByRole('link', { name: 'All deliveries' }))
    await follow(page, page.getByRole('link', { name: '1', exact: true }))
    // Shown as what is sent, or under a try that was made by then.
    assert.match(String(await page.locator('pre').first().textContent()), new RegExp(deal.id), 'the event itself')
    await submit(page, 'Deliver again')
    await page.getByRole('heading', { name: 'Delivery 1' }).waitFor()
    await follow(page, page.getByRole('link', { name: 'https://example.com/hook' }))
    await submit(page, 'Remove')
    assert.match(await page.locator('main').innerText(), /Remove the webhook: https:\/\/[\s\S]*final/)
    await submit(page, 'Yes: Remove the webhook')
    await page.getByText('No webhooks yet.').waitFor()
    await page.locator('.empty').getByRole('link', { name: 'New webhook' }).click()
    assert.equal(await page.getByLabel('Address').isVisible(), true, 'the next step opens the form')
    await close(page)
  })
})

suite('keys', () => {
  test('lead to the places, and can be turned off', async () => {
    const page = await open('/customers')
    await page.keyboard.press('b')
    await page.waitForURL('**/board')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.getByLabel('Use keyboard shortcuts').uncheck()
    await press(page, 'Close')
    await page.keyboard.press('d')
    await page.keyboard.press('/')
    assert.equal(new URL(page.url()).pathname, '/board')
    await close(page)
  })

  test('go through a list, open the form for something new, and are shown to whoever asks', async () => {
    const deal = await openDeal(work.service, { name: 'First of all' })
    const page = await open(`${DEALS}?id=${deal.id}`)
    await page.keyboard.press('j')
    assert.equal(await page.locator(':focus').innerText(), 'First of all')
    await page.keyboard.press('n')
    await page.locator('#new-form [name=name]:focus').waitFor()
    await openAccount(page)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await close(page)
  })

  test('everything is reached and done with the keyboard alone', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`)
    await page.locator('#actions > summary').focus()
    await page.keyboard.press('Enter')
    await page.locator('summary', { hasText: 'Put on hold' }).focus()
    await page.keyboard.press('Enter')
    // A form that opens takes the focus to its first field.
    await page.locator('details.op[open] .field :focus').waitFor()
    await page.keyboard.type('credit check')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.mark.held').first().waitFor()
    await close(page)
  })
})

suite('where there are users', () => {
  for (const javaScriptEnabled of scripting()) {
    test(`people sign in, work under their name and sign out, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const closed = await runClosedService()
      const page = await open('/problems', { javaScriptEnabled })
      const enter = async (password: string) => {
        await page.getByLabel('Name').fill('editor')
        await page.getByLabel('Password').fill(password)
        await submit(page, 'Sign in')
      }
      await page.goto(`${closed.url}${DEALS}`)
      assert.equal(await page.locator('h1').innerText(), 'Sign in')
      await enter('not the password')
      assert.match(await page.getByRole('alert').innerText(), /The name or the password is wrong/)
      await enter('password of editor')
      assert.equal(page.url(), `${closed.url}${DEALS}`)
      assert.match(await page.locator('.account > summary').innerText(), /editor/)
      await follow(page, page.getByRole('link', { name: 'New deal', exact: true }))
      await page.locator('#new-form').getByLabel('Name', { exact: true }).fill('Signed')
      await page.locator('#new-form').getByLabel('Price').fill('5')
      await submit(page, 'Create a deal')
      await choose(page, 'Put on hold')
      await field(page, 'Reason').fill('credit check')
      await submit(page, 'Put on hold')
      assert.match(await marks(page), /On hold/)
      assert.match(await page.locator('.timeline li').first().innerText(), /^editor put the deal on hold/)
      // The session ends elsewhere while a form is open: what was entered is not lost.
      await noteText(page).fill('entered before the sign-in')
      await closed.request('DELETE', '/users/editor/sessions', { headers: bearer(closed.keys.admin) })
      await submit(page, 'Add a note')
      assert.match(await page.locator('main').innerText(), /Your input is kept/)
      assert.doesNotMatch(await page.locator('header.top').innerText(), /editor/)
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'editor')
      await page.locator('[type=password]:focus').waitFor()
      await enter('password of editor')
      assert.match(await page.locator('.timeline').innerText(), /entered before the sign-in/)
      await openAccount(page)
      await submit(page, 'Sign out')
      assert.equal(await page.locator('h1').innerText(), 'Sign in')
      await page.goto(`${closed.url}${DEALS}`)
      assert.equal(await page.locator('h1').innerText(), 'Sign in')
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '', 'who leaves is forgotten')
      await close(page)
      await closed.close()
    })
  }

  test('what is moved or changed in place after the session ended is done after the sign-in', async () => {
    const closed = await runClosedService()
    const headers = bearer(closed.keys.admin)
    const page = await open('/problems')
    const { body } = await closed.request('POST', DEALS, { headers, body: { name: 'Kept card', price: 5 } })
    const enter = async () => {
      // By its role, which what a closed dialog has left does not have.
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('editor')
      await page.getByLabel('Password').fill('password of editor')
      await submit(page, 'Sign in')
    }
    const leave = () => closed.request('DELETE', '/users/editor/sessions', { headers })
    const kept = page.locator('main', { hasText: 'Your input is kept' })

    await page.goto(`${closed.url}/board`)
    await enter()
    await leave()
    await page
      .locator(`#deal-${body.id}`)
      .dragTo(page.locator('[data-stage=proposal]'), { sourcePosition: { x: 60, y: 50 } })
    await kept.waitFor()
    await enter()
    assert.equal(page.url(), `${closed.url}/board`)
    await page.locator(`[data-stage=proposal] #deal-${body.id}`).waitFor()

    await press(page, 'Change Kept card')
    await page.locator('dialog #op-change-price summary').click()
    await page.getByLabel('New price').fill('77')
    await page.locator('dialog [name=reason]').fill('bargain')
    await leave()
    await press(page, 'Change the price')
    await kept.waitFor()
    await enter()
    assert.equal(page.url(), `${closed.url}/board`)
    await page.locator(`#deal-${body.id}`, { hasText: '77' }).waitFor()
    // Nothing is asked about a deal after the session ended: the board asks to sign in.
    await leave()
    await press(page, 'Change Kept card')
    await page.waitForURL('**/sign-in?return=%2Fboard')
    await enter()

    await page.goto(closed.url + DEALS)
    await page.getByRole('link', { name: 'Kept card' }).focus()
    await press(page, 'Change: Deal')
    const dialog = page.getByRole('dialog', { name: 'Kept card' })
    await dialog.getByLabel('New name').fill('Kept name')
    await leave()
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await kept.waitFor()
    assert.equal(await page.locator('dialog[open]').count(), 0)
    await enter()
    await page.getByRole('rowheader', { name: 'Kept name' }).waitFor()
    await close(page)
    await closed.close()
  })
})
