import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { type Answered, openService, type TestService } from '../../support/service/running-service.ts'

// A service of its own: a change of the model holds for every test beside.

let service: TestService
before(async () => {
  service = await openService()
  await service.request('POST', '/fields', {
    body: { on: 'deal', name: 'budget', title: 'Budget', titles: { de: 'Etat' }, kind: 'integer' },
  })
  const requires = ['owner', 'customer.phone', 'own.budget']
  const made = await service.request('POST', '/pipelines', {
    body: {
      ...{ name: 'renewals', title: 'Renewals', lostReasons: ['Too expensive', 'No need'] },
      stages: [{ name: 'due' }, { name: 'offered', title: 'Offered to them', requires }],
    },
  })
  assert.equal(made.status, 201, made.text)
})
after(() => service.close())

const html = (language = 'en') => ({ accept: 'text/html', 'accept-language': language })
const page = async (path: string, language?: string): Promise<string> => {
  const { status, text } = await service.request('GET', path, { headers: html(language) })
  assert.equal(status, 200, text)
  return text
}
const send = (path: string, fields: Record<string, string>, language?: string): Promise<Answered> =>
  service.request('POST', path, { headers: html(language), body: new URLSearchParams(fields) })

test('a refused move names what is missing, and offers it right there', async () => {
  const customer = await service.request('POST', '/customers', { body: { name: 'Ana Ruiz' } })
  const { id } = await openDeal(service, { pipeline: 'renewals', customerId: customer.body.id })
  const refused = await send(`${DEALS}/${id}/moves`, { stage: 'offered' })
  assert.equal(refused.status, 409)
  const notice = refused.text.slice(refused.text.indexOf('id="refused"'))
  assert.match(notice, /to enter Offered to them: Owner, Customer: Phone, Budget\./)
  assert.match(notice, new RegExp(`action="${DEALS}/${id}/assignments"[^>]* id="missing-assign"`))
  assert.match(notice, new RegExp(`action="${DEALS}/${id}/field-settings"[^>]* id="missing-set-fields"`))
  const setting = notice.slice(notice.indexOf('id="missing-set-fields"')).split('</form>', 1)[0] ?? ''
  assert.deepEqual(
    [...setting.matchAll(/name="([^_"][^"]*)"/g)].map(([, name]) => name),
    ['own.budget'],
  )
  assert.match(setting, /name="own\.budget"[^>]* required/)
  assert.match(notice, /id="missing-assign"[\s\S]*?name="owner"[^>]* required/)
  assert.match(notice, new RegExp(`<a href="/customers/${customer.body.id}">Ana Ruiz</a>: Phone<`))
  const german = await send(`${DEALS}/${id}/moves`, { stage: 'offered' }, 'de')
  assert.match(
    german.text,
    /Für die Phase Offered to them braucht ein Deal diese Felder: Zuständig, Kunde: Telefon, Etat\./,
  )
  // Without a customer, one is chosen.
  const { id: alone } = await openDeal(service, { pipeline: 'renewals', owner: 'Mila', own: { budget: 1 } })
  const { text } = await send(`${DEALS}/${alone}/moves`, { stage: 'offered' })
  assert.match(text, /id="missing-change-customer"/)
  assert.doesNotMatch(text, /id="missing-assign"|id="missing-set-fields"/)
})

test('the form of a pipeline offers fields of the customer, and its details have those that stages require', async () => {
  const text = await page('/pipelines/renewals')
  assert.match(text, /> Customer: Phone</)
  assert.match(text, /Offered to them <span class="quiet">50%, requires Owner, Customer: Phone, Budget</)
  assert.doesNotMatch(text, /data-required>Default</)
})

test('a deal has its pipeline in front of its stage, once', async () => {
  const { id } = await openDeal(service, { pipeline: 'renewals' })
  const facts = (await page(`${DEALS}/${id}`)).split('id="facts"')[1] ?? ''
  assert.match(facts, /<dt>Stage<\/dt><dd>[^\n]*Renewals: Due</)
  assert.doesNotMatch(facts, /<dt>Pipeline</)
  assert.match(await page(`${DEALS}/${id}`, 'fr'), /Renouvellements\u00a0: /)
  assert.match(await page('/pipelines/renewals', 'fr'), /Client\u00a0: Téléphone/)
})

test('a new deal that its stage refuses has the missing fields marked', async () => {
  const sent = { name: 'Too early', price: '5', pipeline: 'renewals', stage: 'offered' }
  const { status, text } = await send(DEALS, sent)
  assert.equal(status, 409)
  const faulty = [...text.matchAll(/name="([^"]+)"[^>]*aria-invalid="true"/g)].map(([, name]) => name)
  assert.deepEqual(faulty, ['customerId', 'owner', 'own.budget'])
  assert.equal(/name="([^"]+)"[^>]* autofocus/.exec(text)?.[1], 'customerId')
})

test('a new deal begins in the pipeline that the page is about', async () => {
  const creation = (text: string): string =>
    /href="(\/new\/deals[^"]*)"/.exec(text.slice(text.indexOf('<main')))?.[1] ?? ''
  for (const path of ['/board', DEALS, '/']) {
    const isOfAll = creation(await page(path))
    assert.ok(isOfAll !== '' && !isOfAll.includes('pipeline='), path)
    const address = creation(await page(`${path}?pipeline=renewals`))
    assert.match(address, /[?&;]pipeline=renewals(&|$)/, path)
    const form = await page(address.replaceAll('&amp;', '&'))
    assert.match(form, /<option value="renewals" selected>/, path)
  }
  assert.ok(!creation(await page('/board?pipeline=renewals&pipeline=sales')).includes('pipeline=renewals&'))
})

test('stages have the name of their pipeline in front only where there are others', async () => {
  await openDeal(service, { pipeline: 'renewals' })
  for (const path of ['/', '/reports/pipeline', '/reports/time-in-stage']) {
    assert.match(await page(path), /<\/svg>Renewals: Due</, path)
    const alone = await page(`${path}?pipeline=renewals`)
    assert.match(alone, /<\/svg>Due</, path)
    assert.doesNotMatch(alone, /Renewals: /, path)
  }
})

const selectOf = (text: string, name: string): string =>
  new RegExp(`<select[^>]* name="${name}"[\\s\\S]*?</select>`).exec(text)?.[0] ?? ''

/** The stages to choose from, by their pipelines. */
const offeredIn = (text: string) =>
  Object.fromEntries(
    [...selectOf(text, 'stage').matchAll(/<optgroup label="([^"]+)"([^>]*)>(.*?)<\/optgroup>/g)].map(
      ([, pipeline = '', , options = '']) => [pipeline, [...options.matchAll(/>([^<]+)<\/option>/g)].map(([, t]) => t)],
    ),
  )

test('the stages of a new deal are those of its pipeline, also in what refuses another one', async () => {
  const form = await page('/new/deals?pipeline=renewals', 'de')
  assert.deepEqual(offeredIn(form), {
    Verkauf: ['Lead', 'Qualifiziert', 'Angebot', 'Verhandlung', 'Vertrag'],
    Verlängerungen: ['Fällig', 'Offered to them'],
  })
  assert.match(form, /data-within="pipeline"[^>]*>\s*<option value="">die erste Phase</)
  const deal = { name: 'Elsewhere', price: '5', pipeline: 'renewals' }
  const refused = await send(DEALS, { ...deal, stage: 'proposal' }, 'de')
  assert.equal(refused.status, 422)
  assert.match(refused.text, /muss eines von Fällig, Offered to them sein/)
  assert.match(selectOf(refused.text, 'stage'), /<option value="proposal" selected>/)
})

test('a move offers the stages of every pipeline', async () => {
  const { id } = await openDeal(service, { pipeline: 'renewals' })
  const form = await page(`${DEALS}/${id}/actions/move`)
  assert.deepEqual(Object.keys(offeredIn(form)), ['Sales', 'Renewals'])
  assert.match(selectOf(form, 'stage'), /<option value="">the same, or else the first</)
  assert.match(selectOf(form, 'stage'), /data-of="renewals" data-here>/)
})

test('the table of deals is narrowed to a pipeline; the board has a switch', async () => {
  const filter = (text: string) => /<select[^>]* name="pipeline"[\s\S]*?<\/select>/.exec(text)?.[0] ?? ''
  assert.match(filter(await page(`${DEALS}?pipeline=renewals`)), /<option value="renewals" selected>Renewals</)
  assert.equal(filter(await page('/board')), '')
})

test('changes of several deals offer the stages and lost reasons of their pipelines', async () => {
  const made = async (pipeline: string) => String((await openDeal(service, { pipeline })).id)
  const [renewal, sale] = [await made('renewals'), await made('sales')]
  const change = async (operation: string, ...ids: readonly string[]) => {
    const rows = Object.fromEntries(ids.map((id) => [id, 'on']))
    return (await send('/changes/deals', { _operation: operation, ...rows })).text
  }
  const here = (text: string) => [...text.matchAll(/data-of="(\w+)" data-here/g)].map(([, pipeline]) => pipeline)
  assert.deepEqual(here(await change('move', renewal)), ['renewals'])
  const both = await change('move', renewal, sale)
  assert.deepEqual(here(both), ['sales', 'renewals'])
  // Each stays in its pipeline.
  assert.doesNotMatch(selectOf(both, 'pipeline'), /required/)
  assert.match(selectOf(both, 'pipeline'), /<option value="">unchanged</)
  const reasons = (text: string) => [...text.matchAll(/<option value="(Too expensive|No need)"/g)].length
  assert.equal(reasons(await change('cancel', renewal, sale)), 2)
  assert.equal(reasons(await change('cancel', sale)), 0)
  assert.equal(reasons(await page(`${DEALS}/${renewal}/actions/cancel`)), 2)
})

test('a stage or pipeline that deals are in goes when its form says where they move', async () => {
  const stages = [{ name: 'on-site', title: 'On site' }, { name: 'done' }]
  await service.request('POST', '/pipelines', { body: { name: 'visits', title: 'Visits', stages } })
  await openDeal(service, { pipeline: 'visits' })
  const { body } = await service.request('GET', '/pipelines/visits')
  const rows = {
    'stages/0/name': 'on-site',
    'stages/0/title': 'On site',
    'stages/1/name': 'done',
    'stages/1/title': 'Done',
  }
  const one = await send(`/pipelines/${body.id}/changes`, { ...rows, 'stages/0/_remove[]': 'true' }, 'de')
  assert.equal(one.status, 409)
  assert.match(one.text, /In der Phase On site ist noch ein Deal: Wählen Sie, wohin er kommt\./)
  assert.match(one.text, /name="moveTo\/on-site"[^>]*aria-invalid="true"/)
  await openDeal(service, { pipeline: 'visits' })
  const all = await send(`/pipelines/${body.id}/deletions`, {})
  assert.match(all.text, /There are 2 deals in the pipeline Visits: choose where they move\./)
  assert.match(all.text, /name="moveTo"[^>]*aria-invalid="true"/)
  const done = await send(`/pipelines/${body.id}/deletions`, { moveTo: 'sales' })
  const cookie = String(done.headers['set-cookie']?.[0]?.split(';', 1))
  const { text } = await service.request('GET', '/pipelines', { headers: { ...html('de'), cookie } })
  assert.match(text, /Geändert: Wird entfernt, Ziel ihrer Deals</)
  const field = {
    on: 'deal',
    name: 'size',
    title: 'Size',
    kind: 'choice',
    options: {
      values: [
        { value: 'xl', title: 'Large' },
        { value: 'xs', title: 'Small' },
      ],
    },
  }
  const { body: added } = await service.request('POST', '/fields', { body: field })
  await openDeal(service, { own: { size: 'xl' } })
  const left = {
    'options/values/0/value': 'xl',
    'options/values/0/title': 'Large',
    'options/values/0/_remove[]': 'true',
    'options/values/1/value': 'xs',
    'options/values/1/title': 'Small',
  }
  const choice = await send(`/fields/${added.id}/changes`, left)
  assert.match(choice.text, /There is an entry with Large: choose what it gets instead\./)
  assert.match(choice.text, /name="replaceBy\/xl"[^>]*aria-invalid="true"/)
})

/** Imports a file; gives its counts. */
async function imported(file: string): Promise<unknown> {
  const headers = { 'content-type': 'text/csv' }
  const sent = await service.request('POST', '/imports?on=deal', { headers, body: file })
  assert.equal(sent.status, 201, sent.text)
  const address = `/imports/${sent.body.id}`
  const settled = async (stage: string) => {
    for (;;) {
      const { body, text } = await service.request('GET', address)
      if (body.stage === stage) return body
      assert.ok(['checking', 'importing', 'ready'].includes(String(body.stage)), text)
      await pause(10)
    }
  }
  await settled('ready')
  await service.request('POST', `${address}/runs`)
  const { inserted, updated, unchanged, rejected } = await settled('done')
  return { inserted, updated, unchanged, rejected }
}

test('an imported row that its stage refuses names the stage and the missing fields as pages do', async () => {
  const headers = { 'content-type': 'text/csv' }
  const file = 'name,price,pipeline,stage\nToo early,5,renewals,offered\n'
  const { body } = await service.request('POST', '/imports?on=deal', { headers, body: file })
  while ((await service.request('GET', `/imports/${body.id}`)).body.stage !== 'ready') await pause(10)
  const said = /Offered to them [^<]*: Zuständig, Telefon des Kunden, Etat</
  assert.match(await page(`/imports/${body.id}`, 'de'), said)
})

test('an export as shown has the titles of the page, and comes back unchanged', async () => {
  await service.request('PATCH', '/pipelines/renewals', {
    body: {
      stages: [
        { name: 'due', title: 'Angebot' },
        { name: 'offered', title: 'Offered: to them' },
      ],
    },
  })
  for (const pipeline of ['renewals', 'sales'])
    await openDeal(service, {
      pipeline,
      stage: pipeline === 'sales' ? 'proposal' : 'due',
      reference: `Back ${pipeline}`,
    })
  const asked = '?reference.contains=Back&sort=reference&fields=reference,name,stage,price&shown=true'
  const { text: file } = await service.request('GET', `${DEALS}.csv${asked}`, { headers: { 'accept-language': 'de' } })
  assert.match(file, /;Verlängerungen: Angebot;[\s\S]*;Verkauf: Angebot;/)
  // Other things have other ids.
  const done = await imported(file.replaceAll('Back', 'Again').replaceAll(/^[\da-f-]{36};/gm, ';'))
  assert.deepEqual(done, { inserted: 2, updated: 0, unchanged: 0, rejected: 0 })
  assert.deepEqual(await imported(file), { inserted: 0, updated: 0, unchanged: 2, rejected: 0 })
  const { body } = await service.request('GET', `${DEALS}?reference.contains=Again&sort=reference`)
  const places = (body.items as { pipeline: string; stage: string }[]).map(({ pipeline, stage }) => [pipeline, stage])
  assert.deepEqual(places, [
    ['renewals', 'due'],
    ['sales', 'proposal'],
  ])
})

test('a stage is read by its title in the pipeline of its row, and never guessed', async () => {
  const rows = ['Reference,Name,Price,Pipeline,Stage', 'in1,A,1,Renewals,Angebot', 'in2,B,1,Verkauf,Angebot']
  const wrong = ['in3,C,1,Sales,Renewals: Angebot', 'in5,E,1,,Angebot', 'in4,D,1,Renewals,Offered: to them']
  const done = await imported([...rows, ...wrong].join('\n'))
  assert.deepEqual(done, { inserted: 3, updated: 0, unchanged: 0, rejected: 2 })
  const { body } = await service.request('GET', `${DEALS}?reference.starts=in&sort=reference`)
  const places = (body.items as { pipeline: string; stage: string }[]).map(({ pipeline, stage }) => [pipeline, stage])
  assert.deepEqual(places, [
    ['renewals', 'due'],
    ['sales', 'proposal'],
    ['renewals', 'offered'],
  ])
})

test('titles in languages are shown wherever a stage or pipeline is, and read in files', async () => {
  const titles = { de: 'Wartung' }
  const stages = [{ name: 'planned', titles: { de: 'Steht an' } }, { name: 'running' }]
  const made = await service.request('POST', '/pipelines', {
    body: { name: 'upkeep', title: 'Upkeep', titles, stages },
  })
  assert.equal(made.status, 201, made.text)
  const { id } = await openDeal(service, { pipeline: 'upkeep', name: 'Boiler' })
  await service.request('PUT', `${DEALS}/${id}/move`, { body: { stage: 'running' } })
  await service.request('PUT', `${DEALS}/${id}/move`, { body: { stage: 'planned' } })
  for (const path of [`${DEALS}/${id}`, `${DEALS}?pipeline=upkeep`, '/reports/pipeline', '/board', '/']) {
    assert.match(await page(path, 'de'), /Wartung: Steht an/, path)
    assert.match(await page(path, 'fr'), /Upkeep\u00a0: Planned/, path)
  }
  for (const path of ['/board?pipeline=upkeep', '/reports/time-in-stage?pipeline=upkeep', `${DEALS}/${id}/history`])
    assert.match(await page(path, 'de'), /Steht an/, path)
  assert.deepEqual(offeredIn(await page('/new/deals', 'de')).Wartung, ['Steht an', 'Running'])
  assert.match(await page('/pipelines', 'de'), />Wartung<[\s\S]*Steht an › Running/)
  assert.match(await page('/pipelines/sales', 'de'), /<h1[^>]*>Verkauf</)
  const used = await send('/pipelines/upkeep/deletions', {}, 'de')
  assert.equal(used.status, 409)
  assert.match(used.text, /Pipeline Wartung/)
  const body = 'Name,Price,Pipeline,Stage\nOven,5,Wartung,Steht an\n'
  const sent = await service.request('POST', '/imports?on=deal', { body, headers: { 'content-type': 'text/csv' } })
  assert.equal(sent.status, 201, sent.text)
  const upload = `/imports/${sent.body.id}`
  const until = async (stage: string): Promise<void> => {
    while ((await service.request('GET', upload)).body.stage !== stage) await pause(20)
  }
  await until('ready')
  await service.request('POST', `${upload}/runs`)
  await until('done')
  const { items = [] } = (await service.request('GET', `${DEALS}?name=Oven&fields=pipeline,stage`)).body
  assert.deepEqual(items, [{ pipeline: 'upkeep', stage: 'planned' }])
})

test('the editor of a pipeline has titles in languages behind a button', async () => {
  const form = await page('/pipelines/upkeep', 'en')
  assert.match(form, /<summary>Titles in other languages <span[^>]*>Steht an</)
  assert.match(form, /<details class="more"><summary>More<\/summary>[\s\S]*name="titles\/de"[^>]* value="Wartung"/)
  const sent = { 'titles/de': '', 'titles/fr': 'Entretien', 'stages/0/titles/de': 'Geplant' }
  const rows = { 'stages/0/name': 'planned', 'stages/0/title': 'Planned', 'stages/1/name': 'running' }
  const changed = await send('/pipelines/upkeep/changes', { ...rows, 'stages/1/title': 'Running', ...sent })
  assert.ok(changed.status < 400, changed.text)
  const { titles, stages } = (await service.request('GET', '/pipelines/upkeep')).body
  assert.deepEqual(
    [titles, (stages as unknown as readonly { readonly titles: object }[]).map((each) => each.titles)],
    [{ fr: 'Entretien' }, [{ de: 'Geplant' }, {}]],
  )
})

test('pipelines and fields are put in order in their lists, and no form asks for a position', async () => {
  const idsIn = async (path: string): Promise<readonly string[]> => {
    const { items = [] } = (await service.request('GET', `${path}sort=position`)).body
    return (items as unknown as readonly { readonly id: string }[]).map(({ id }) => id)
  }
  const before = await idsIn('/pipelines?')
  const [first, second, ...others] = before
  const list = await page('/pipelines')
  assert.match(list, new RegExp(`form="order" name="_up" value="${second}" aria-label="Move [^"]+ up"`))
  assert.doesNotMatch(await page('/pipelines?sort=title'), /form="order"/)
  for (const path of ['/pipelines/renewals', '/new/pipelines', '/new/fields'])
    assert.doesNotMatch(await page(path), /name="position"/, path)
  const back = { _return: '/pipelines?x=1' }
  const moved = await send('/order/pipelines', { ...back, _up: String(second) })
  assert.deepEqual([moved.status, moved.headers.location], [303, back._return])
  assert.deepEqual(await idsIn('/pipelines?'), [second, first, ...others])
  assert.equal((await send('/order/pipelines', { ...back, _up: String(second) })).status, 303)
  assert.deepEqual(await idsIn('/pipelines?'), [second, first, ...others], 'the first stays the first')
  await send('/order/pipelines', { ...back, _down: String(second) })
  assert.deepEqual(await idsIn('/pipelines?'), before)
  assert.equal((await send('/order/deals', { _up: '1' })).status, 404)

  // Fields of another resource between them stay where they are; equal places become different ones.
  const added: { readonly id: string }[] = []
  for (const [on, name] of [
    ['customer', 'one'],
    ['deal', 'two'],
    ['customer', 'three'],
  ])
    added.push(
      (await service.request('POST', '/fields', { body: { on, name, title: name, kind: 'integer', position: 4 } }))
        .body as never,
    )
  const [one, two, three] = added
  await send('/order/fields', { _up: String(three?.id) })
  assert.deepEqual(await idsIn('/fields?on=customer&'), [three?.id, one?.id])
  assert.equal((await service.request('GET', `/fields/${two?.id}`)).body.position, 4)
})
