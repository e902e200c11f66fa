import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from '../../support/rooms/each-store.ts'
import { openService, type TestService } from '../../support/service/running-service.ts'

// A service of its own: a change of the model holds for every test beside.

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const page = async (path: string, language = 'de'): Promise<string> => {
  const headers = { accept: 'text/html', 'accept-language': language }
  const { status, text } = await service.request('GET', path, { headers })
  assert.equal(status, 200, text)
  return text
}

async function added(field: object): Promise<string> {
  const { status, body, text } = await service.request('POST', '/fields', { body: { on: 'deal', ...field } })
  assert.equal(status, 201, text)
  return String(body.id)
}

test('the words about a field are those of what they stand for', async () => {
  const form = await page('/new/fields')
  assert.match(form, />Gehört zu</)
  for (const kind of ['Zahl', 'Verknüpfung', 'Auswahl', 'Mehrfachauswahl'])
    assert.match(form, new RegExp(`<option [^>]*>${kind}</option>`))
  const english = await page('/new/fields', 'en')
  for (const kind of ['Whole number', 'Yes or no', 'Date and time', 'Several choices', 'Web address'])
    assert.match(english, new RegExp(`<option [^>]*>${kind}</option>`))
  const values = [{ value: 'web', title: 'Web' }]
  const id = await added({ name: 'source', title: 'Source', kind: 'choice', options: { values } })
  assert.match(await page(`/fields/${id}`), /<legend>Werte</)
  for (const [language, count] of [
    ['de', '1 Feld'],
    ['en', '1 field'],
    ['es', '1 campo'],
    ['fr', '1 champ'],
  ] as const)
    assert.match(await page('/fields?name=source', language), new RegExp(`<caption[^>]*>${count}<`))
})

test('an operation on a deal with own values is shown in every form', async () => {
  const values = [{ value: 'fair', title: 'Fair' }]
  await added({ name: 'met', title: 'Met at', kind: 'choice', options: { values } })
  const body = { name: 'Met there', price: 5, own: { met: 'fair' } }
  const { id } = (await service.request('POST', '/rest/v1/deals', { body })).body
  assert.match(await page(`/rest/v1/deals/${id}/actions/hold`, 'en'), /\/rest\/v1\/deals\/[^"]+\/holds/)
})

test('a form whose field was retired after it was shown says so, and goes without it', async () => {
  const fax = await added({ name: 'fax', title: 'Fax number', titles: { de: 'Faxnummer' }, kind: 'phone' })
  const { id } = (await service.request('POST', '/rest/v1/deals', { body: { name: 'Sent late', price: 5 } })).body
  await service.request('POST', `/fields/${fax}:retire`)
  const sent = { 'own.fax': '12' }
  for (const [path, fields] of [
    ['/rest/v1/deals', { name: 'Made late', price: '5', ...sent }],
    [`/rest/v1/deals/${id}/field-settings`, { reference: 'A-1', ...sent }],
  ] as const) {
    const { status, text } = await sendForm(path, fields)
    assert.equal(status, 422)
    assert.match(text, /<h2[^>]*>[^<]*<\/h2><p>Inzwischen deaktiviert: Faxnummer\. Ihre Änderung/)
    assert.doesNotMatch(text, /name="own\.fax"/)
  }
  const { text } = await sendForm(`/rest/v1/deals/${id}/field-settings`, { unheard: 'x', ...sent })
  assert.doesNotMatch(text, /Inzwischen deaktiviert/, 'this is about more than a retired field')
})

test('parts of the model have the titles that their reader knows them by', async () => {
  const values = [{ value: 'fair', title: 'Fair', titles: { de: 'Messe' } }]
  const id = await added({
    name: 'origin',
    title: 'Origin',
    titles: { de: 'Herkunft' },
    kind: 'choice',
    options: { values },
  })
  assert.match(await page('/fields'), /<th scope="row">[^\n]*>Herkunft</)
  const field = await page(`/fields/${id}`)
  assert.match(field, /<h1>Herkunft<\/h1>/)
  assert.match(field, /<legend>Messe</)
  assert.match(field, /name="title"[^>]* value="Origin"/)
  assert.match(await page('/pipelines'), /<th scope="row">[^\n]*>Verkauf</)
  const pipeline = await page('/pipelines/sales')
  assert.match(pipeline, /<h1>Verkauf<\/h1>/)
  assert.match(pipeline, /<dt>Titel<\/dt><dd>Verkauf</)
  assert.match(pipeline, /name="title"[^>]* value="Sales"/)
})

test('the titles and the removal of a choice open with a button, and by themselves if something is wrong there', async () => {
  const values = [
    { value: 'fair', title: 'Fair', titles: { de: 'Messe', fr: 'Salon' } },
    { value: 'call', title: 'Call' },
  ]
  const id = await added({ name: 'folded', title: 'Folded', kind: 'choice', options: { values } })
  const folds = (text: string) => [
    ...text.matchAll(/<details class="fold"( open)?><summary>(.*?)<\/summary>\n<div>.*?name="([^"]+)"/gs),
  ]
  const shown = folds(await page(`/fields/${id}`))
  assert.deepEqual(
    shown.slice(0, 3).map(([, open, text, name]) => [open, text?.replaceAll(/<[^>]*>/g, ''), name]),
    [
      [undefined, 'Titel in anderen Sprachen Messe, Salon', 'options/values/0/titles/de'],
      [undefined, 'Entfernen', 'options/values/0/_remove[]'],
      [undefined, 'Titel in anderen Sprachen', 'options/values/1/titles/de'],
    ],
  )
  await service.request('POST', '/rest/v1/deals', { body: { name: 'Met', price: 5, own: { folded: 'call' } } })
  const rows = {
    'options/values/0/value': 'fair',
    'options/values/0/title': 'Fair',
    'options/values/1/value': 'call',
    'options/values/1/title': 'Call',
  }
  const opened = async (fields: Record<string, string>) => {
    const { status, text } = await sendForm(`/fields/${id}/changes`, { ...rows, ...fields })
    assert.ok(status === 422 || status === 409, text)
    return folds(text).flatMap(([, open, , name]) => (open === undefined ? [] : [name]))
  }
  assert.deepEqual(await opened({ 'options/values/0/titles/fr': 'x'.repeat(201) }), ['options/values/0/titles/de'])
  assert.deepEqual(await opened({ 'options/values/1/_remove[]': 'true' }), ['options/values/1/_remove[]'])
  const titles = { 'options/values/0/titles/de': 'Ausstellung', 'options/values/0/titles/fr': 'Salon' }
  assert.equal((await sendForm(`/fields/${id}/changes`, { ...rows, ...titles })).status, 303)
  const { body } = await service.request('GET', `/fields/${id}`)
  assert.deepEqual(body.options, {
    values: [
      { value: 'fair', title: 'Fair', titles: { de: 'Ausstellung', fr: 'Salon' } },
      { value: 'call', title: 'Call' },
    ],
  })
})

test('the histories of fields and pipelines have the words of their forms', async () => {
  const values = [
    { value: 'old', title: 'Old' },
    { value: 'new', title: 'New' },
  ]
  const field = await added({ name: 'age', title: 'Age', kind: 'choice', options: { values } })
  await service.request('POST', '/rest/v1/deals', { body: { name: 'Aged', price: 5, own: { age: 'old' } } })
  const stages = [{ name: 'first' }, { name: 'second' }]
  const made = await service.request('POST', '/pipelines', { body: { name: 'told', title: 'Told', stages } })
  await service.request('POST', '/rest/v1/deals', { body: { name: 'Placed', price: 5, pipeline: 'told' } })
  const pipeline = String(made.body.id)
  for (const [path, body] of [
    [`/fields/${field}`, { options: { values: values.slice(1) }, replaceBy: { old: 'new' } }],
    [`/pipelines/${pipeline}`, { stages: stages.slice(1), moveTo: { first: 'second' } }],
  ] as const)
    assert.equal((await service.request('PATCH', path, { body })).status, 200)
  const told = async (path: string, language: string) => {
    const text = await page(`${path}/history`, language)
    return [...text.matchAll(/<li[^>]*><p>([^<]*: [^<]*)</g)].map(([, words]) => words)[0]
  }
  assert.deepEqual(
    [await told(`/fields/${field}`, 'de'), await told(`/pipelines/${pipeline}`, 'de')],
    ['Geändert: Auswahl und Grenzen, Ersatz für entfernte Werte', 'Geändert: Phasen, Ziel ihrer Deals'],
  )
  assert.deepEqual(
    [await told(`/fields/${field}`, 'en'), await told(`/pipelines/${pipeline}`, 'en')],
    ['Changed: Choices and limits, Replacement of removed choices', 'Changed: Stages, Where its deals move'],
  )
  assert.match(await page(`/fields/${field}`, 'en'), /<dt>Choices and limits</)
  assert.match(await page('/fields', 'en'), />Choices and limits</)
})

test('what a new field is or is not has no third answer, what an entry may leave out has one', async () => {
  const answers = (text: string, name: string) => {
    const select = text.slice(text.indexOf(`name="${name}"`)).split('</select>', 1)[0] ?? ''
    return [...select.matchAll(/<option value="([^"]*)"( selected)?/g)].map(([, value, chosen = '']) => value + chosen)
  }
  const form = await page('/new/fields')
  for (const name of ['required', 'unique', 'searched', 'indexed'])
    assert.deepEqual(answers(form, name), ['true', 'false selected'], name)
  await added({ name: 'agreed', title: 'Agreed', kind: 'boolean' })
  const { body: deal } = await service.request('POST', '/rest/v1/deals', {
    body: { name: 'Agreed', price: 5, own: { agreed: true } },
  })
  assert.deepEqual(answers(await page(`/rest/v1/deals/${deal.id}`), 'own.agreed'), ['', 'true selected', 'false'])
  assert.deepEqual(answers(await page('/fields?required=true'), 'required'), ['', 'true selected', 'false'])
  const wrong = await sendForm('/fields', { title: 'Odd', on: 'deal', kind: 'text', name: 'odd', unique: 'perhaps' })
  assert.equal(wrong.status, 422)
  assert.deepEqual(answers(wrong.text, 'unique'), ['', 'true', 'false'])
})

test('choices are typed as lines, the faulty one of which is named', async () => {
  const send = (lines: string) =>
    service.request('POST', '/fields', {
      headers: { accept: 'text/html', 'accept-language': 'de' },
      body: new URLSearchParams({
        title: 'Branch',
        on: 'deal',
        kind: 'choice',
        name: 'branch',
        'options/values': lines,
      }),
    })
  const refused = await send('Retail\n\nHealth\nRetail\nRetail')
  assert.equal(refused.status, 422)
  assert.match(refused.text, /<textarea[^>]* name="options\/values"[^>]* autofocus aria-invalid="true"/)
  assert.match(refused.text, /class="fault"[^>]*>Zeile 4: /)
  assert.doesNotMatch(refused.text, /options\/values\/\d/i)
  assert.equal((await send('IT, Telekom\nRetail')).status, 303)
  const { body } = await service.request('GET', '/fields?name=branch')
  const [{ options } = {}] = body.items as unknown as readonly { readonly options?: unknown }[]
  assert.deepEqual(options, {
    values: [
      { value: 'IT Telekom', title: 'IT, Telekom' },
      { value: 'Retail', title: 'Retail' },
    ],
  })
})

test('what a kind of field cannot have is refused in words, and what it has stands under its name', async () => {
  const refused = async (fields: Record<string, string>, language = 'de') => {
    const { status, text } = await service.request('POST', '/fields', {
      headers: { accept: 'text/html', 'accept-language': language },
      body: new URLSearchParams({ title: 'Wrong', on: 'deal', name: 'wrong', ...fields }),
    })
    assert.equal(status, 422)
    return /class="fault"[^>]*>([^<]+)</.exec(text)?.[1]?.trim()
  }
  const choices = { kind: 'choice', 'options/values': 'Retail' }
  assert.equal(await refused({ ...choices, unique: 'true' }), 'ist bei einem Feld der Art Auswahl nicht möglich')
  const notes = { kind: 'text', 'options/values': 'Retail' }
  assert.equal(await refused(notes), 'ist bei einem Feld der Art Text nicht möglich')
  assert.equal(await refused(notes, 'en'), 'is not possible for a field of the kind Text')
  const amount = { kind: 'amount', on: 'customer' }
  assert.equal(await refused(amount, 'fr'), 'n’est pas possible pour un champ de type Montant')
  const form = await page('/new/fields', 'en')
  for (const [name, title] of [
    ['options/values', 'For the kinds “Choice” and “Several choices”.'],
    ['options/to', 'For the kind “Link”.'],
    ['options/max', 'For the kind “Text”.'],
  ])
    assert.match(
      form,
      new RegExp(`<p class="for">${title}</p><label[^>]*>[^<]*</label> <\\w+ id="[^"]*" name="${name}"`),
    )
})

test('the form of a field has what its kind can be', async () => {
  const formOf = async (body: object) => {
    const { body: made } = await service.request('POST', '/fields', { body })
    const form = (await page(`/fields/${made.id}`)).split('id="edit-form"')[1] ?? ''
    return ['unique', 'searched', 'indexed'].filter((name) => form.includes(`name="${name}"`))
  }
  const options = { values: [{ value: 'a', title: 'A' }] }
  assert.deepEqual(await formOf({ on: 'task', name: 'one', title: 'One', kind: 'choice', options }), ['indexed'])
  assert.deepEqual(await formOf({ on: 'task', name: 'some', title: 'Some', kind: 'choices', options }), ['searched'])
  assert.deepEqual(await formOf({ on: 'task', name: 'text', title: 'Text', kind: 'email' }), [
    'unique',
    'searched',
    'indexed',
  ])
})

test('a value that another entry has is marked at its field, and told with the title of the field', async () => {
  const code = { on: 'deal', name: 'code', title: 'Code', titles: { de: 'Kennwort' }, kind: 'text', unique: true }
  await service.request('POST', '/fields', { body: code })
  const make = (own: object) => service.request('POST', '/rest/v1/deals', { body: { name: 'Coded', price: 5, own } })
  await make({ code: 'A-1' })
  const { body: other } = await make({ code: 'A-2' })
  for (const [path, fields] of [
    ['/rest/v1/deals', { name: 'Third', price: '5', 'own.code': 'A-1' }],
    [`/rest/v1/deals/${other.id}/field-settings`, { 'own.code': 'A-1' }],
  ] as const) {
    const { status, text } = await sendForm(path, fields)
    assert.equal(status, 409)
    assert.match(text, /role="alert"[\s\S]*?Kennwort &quot;A-1&quot;: Ein anderer Eintrag/)
    assert.match(text, /name="own\.code"[^>]* aria-invalid="true"[^>]*> <span class="fault"[^>]*>ist schon vergeben</)
  }
})

test('a field that several entries keep from being unique says which values do, and what to do', async () => {
  const { body: field } = await service.request('POST', '/fields', {
    body: { on: 'customer', name: 'since', title: 'Since', kind: 'date' },
  })
  for (const since of ['2026-03-01', '2026-03-01', '2026-04-01'])
    await service.request('POST', '/customers', { body: { name: 'Ana', own: { since } } })
  await service.request('PATCH', `/fields/${field.id}`, { body: { unique: true } })
  while ((await service.request('GET', `/fields/${field.id}`)).body.state !== 'failed') await pause(10)
  const text = await page(`/fields/${field.id}`)
  const notice = /<p class="notice held">Das Feld wurde nicht eindeutig[^\n]*/.exec(text)?.[0] ?? ''
  assert.match(notice, /denselben Wert haben: <a href="([^"]+)">01\.03\.2026<\/a>\. Geben Sie ihnen verschiedene Werte/)
  const [, href = ''] = /href="([^"]+)"/.exec(notice) ?? []
  assert.equal((await service.request('GET', href)).body.items?.length, 2)
  assert.doesNotMatch(text, /Wiederholungen<\/dt>/)
  await service.request('POST', `/fields/${field.id}:retire`)
  assert.doesNotMatch(await page(`/fields/${field.id}`), /nicht eindeutig/)
})

test('a value that only a deleted entry repeats leads to a list with both', async () => {
  const id = await added({ name: 'order', title: 'Order', kind: 'text' })
  const made = async () =>
    (await service.request('POST', '/rest/v1/deals', { body: { name: 'Ordered', price: 5, own: { order: 'A & B' } } }))
      .body.id
  const [kept, gone] = [await made(), await made()]
  await service.request('DELETE', `/rest/v1/deals/${gone}`)
  await service.request('PATCH', `/fields/${id}`, { body: { unique: true } })
  while ((await service.request('GET', `/fields/${id}`)).body.state !== 'failed') await pause(10)
  const notice =
    /<p class="notice held">Das Feld wurde nicht eindeutig[^\n]*/.exec(await page(`/fields/${id}`))?.[0] ?? ''
  assert.match(notice, /Ein gelöschter Eintrag behält seinen Wert: Stellen Sie ihn wieder her/)
  const [, href = ''] = /href="([^"]+)"/.exec(notice) ?? []
  const list = await page(href.replaceAll('&amp;', '&'))
  assert.match(list, /Gelöscht: ja oder nein/)
  for (const deal of [kept, gone]) assert.match(list, new RegExp(`href="/rest/v1/deals/${deal}"`))
  await service.request('POST', `/fields/${id}:retire`)
})

const sendForm = (path: string, fields: Record<string, string>, language = 'de') =>
  service.request('POST', path, {
    headers: { accept: 'text/html', 'accept-language': language },
    body: new URLSearchParams(fields),
  })

test('a name that is taken is marked at its field', async () => {
  for (const [path, of, fields] of [
    ['/fields', 'Feld', { title: 'Twice', on: 'deal', kind: 'text', name: 'twice' }],
    ['/pipelines', 'Pipeline', { title: 'Twice', name: 'twice', 'stages/0/title': 'First' }],
  ] as const) {
    assert.equal((await sendForm(path, fields)).status, 303)
    const { status, text } = await sendForm(path, fields)
    assert.equal(status, 409)
    assert.match(text, new RegExp(`„twice“ gibt es bereits \\(${of}\\)\\.`))
    assert.match(
      text,
      /name="name"[^>]* value="twice"[^>]* autofocus aria-invalid="true"[^>]*> <[^>]*>ist schon vergeben</,
    )
    assert.match(text, /name="title"[^>]* value="Twice"/)
  }
})

test('what keeps a field from being retired is named in the words of its reader', async () => {
  const id = await added({ name: 'kept', title: 'Kept', kind: 'boolean' })
  const query = { collection: 'deals', query: 'own.kept=true', shared: true }
  await service.request('POST', '/views', { body: { ...query, name: 'Those kept' } })
  const { status, text } = await sendForm(`/fields/${id}/retirements`, {})
  assert.equal(status, 409)
  assert.match(text, /Feld: noch verwendet von Ansicht „Those kept“\. Ändern Sie das zuerst\./)
  const english = await sendForm(`/fields/${id}/retirements`, {}, 'en')
  assert.match(english.text, /The field is still used by view “Those kept”\. Change that first\./)
})

test('the default pipeline has no form that deletes it, and says why', async () => {
  await service.request('POST', '/pipelines', { body: { name: 'spare', title: 'Spare', stages: [{ name: 'one' }] } })
  const text = await page('/pipelines/sales')
  assert.doesNotMatch(text, /id="remove-form"/)
  assert.match(text, /Das ist die Standard-Pipeline: Machen Sie zuerst eine andere zum Standard/)
  assert.match(await page('/pipelines/spare'), /id="remove-form"/)
})

test('an import has fields and choices by their titles, where columns are matched and where rows are rejected', async () => {
  const values = [{ value: 'vip', title: 'Important', titles: { de: 'Wichtig' } }]
  await added({ name: 'rank', title: 'Rank', titles: { de: 'Rang' }, kind: 'choice', options: { values } })
  const sent = await service.request('POST', '/imports?on=deal', {
    headers: { 'content-type': 'text/csv' },
    body: 'name,price,own.rank\nGood,5,Wichtig\nWrong,5,Nobody\n',
  })
  const address = `/imports/${sent.body.id}`
  while ((await service.request('GET', address)).body.stage !== 'ready') await pause(10)
  const text = await page(address)
  assert.match(text, /<option value="own\.rank" selected>Rang</)
  // The column is named as in the file, which is what is corrected.
  assert.match(text, /<b>1 Zeile<\/b>: „<span lang="">own\.rank<\/span>“ muss eines von Wichtig sein</)
  assert.match(text, /<td>own\.rank: muss eines von Wichtig sein</)
  assert.doesNotMatch(text, /Own/)
  const { text: file } = await service.request('GET', `${address}/rejected.csv`, {
    headers: { 'accept-language': 'de' },
  })
  assert.match(file, /own\.rank: muss eines von Wichtig sein/)
})

test('fields of a group stand below its name, in their order, on the page of a thing and in its forms', async () => {
  const kind = 'integer'
  const contract = { group: 'Contract', kind }
  await added({ name: 'term', title: 'Term', position: 60, ...contract })
  await added({ name: 'alone', title: 'Alone', position: 62, kind })
  await added({ name: 'discount', title: 'Discount', position: 61, group: 'Terms & <more>', kind })
  const notice = await added({ name: 'notice', title: 'Notice', position: 59, ...contract })
  const customer = { on: 'customer', kind, group: 'Billing' }
  await added({ ...customer, name: 'due', title: 'Due in days' })
  const { id } = (await service.request('POST', '/rest/v1/deals', { body: { name: 'Grouped', price: 5 } })).body
  const words = (text: string): readonly string[] =>
    [
      ...text.matchAll(
        /(?:Terms &amp; &lt;more&gt;|Contract|Notice|Term|Discount|Alone)(?=<\/(?:h3|dt|legend|label)>)/g,
      ),
    ].map(([word]) => word)
  const inOrder = ['Alone', 'Contract', 'Notice', 'Term', 'Terms &amp; &lt;more&gt;', 'Discount']
  const shown = await page(`/rest/v1/deals/${id}`, 'en')
  const facts = shown.slice(shown.indexOf('id="facts"')).split('</section>', 1)[0] ?? ''
  assert.deepEqual(words(facts.replaceAll(/<label.*?<\/label>/g, '')), inOrder)
  assert.match(facts, /id="op-set-fields-own-term-form"/, 'each is changed in its place')
  assert.deepEqual(words(await page('/new/deals', 'en')), inOrder)
  const set = shown.slice(shown.indexOf('id="op-set-fields-form"')).split('</form>', 1)[0] ?? ''
  assert.deepEqual(words(set), inOrder)
  assert.match(await page('/new/customers', 'en'), /<legend translate="no">Billing<\/legend>[\s\S]*>Due in days</)
  const menu = (await page('/rest/v1/deals', 'en')).match(/Notice|Term(?!s)|Discount|Alone/g) ?? []
  assert.deepEqual([...new Set(menu)], ['Notice', 'Term', 'Discount', 'Alone'])
  // The editor offers the groups that there are.
  const editor = await page(`/fields/${notice}`, 'en')
  assert.match(editor, /name="group"[^>]* value="Contract"/)
  assert.match(editor, /<datalist[^>]*>(?:<option[^>]*>)*<option value="Terms &amp; &lt;more&gt;">/)
  assert.doesNotMatch(editor, /name="position"/)
  assert.match(editor, /<dt>Group<\/dt><dd>Contract</)
  assert.doesNotMatch(await page('/new/fields', 'en'), /name="position"/)
  const moved = await sendForm(`/fields/${notice}/changes`, { position: '99', group: '' })
  assert.ok(moved.status < 400, moved.text)
  const { position, group } = (await service.request('GET', `/fields/${notice}`)).body
  assert.deepEqual([position, group], [99, null])
})

test('a refused form of one field comes with the others as they are', async () => {
  const kept = { name: 'Ida Ost', company: 'Ostwerk', age: 40 }
  const { id } = (await service.request('POST', '/customers', { body: kept })).body
  const shown = await page(`/customers/${id}`, 'en')
  const [, form = ''] = /<form [^>]*id="op-[a-z]+-age-form"([\s\S]*?)<\/form>/.exec(shown) ?? []
  assert.deepEqual(
    [...form.matchAll(/ name="([^_"][^"]*)"/g)].map(([, name]) => name),
    ['age'],
  )
  const [, action = ''] = /<form [^>]*action="([^"]+)"[^>]* id="op-[a-z]+-age-form"/.exec(shown) ?? []
  const { status, text } = await service.request('POST', action, {
    headers: { accept: 'text/html', 'accept-language': 'en' },
    body: new URLSearchParams({ age: '-1' }),
  })
  assert.equal(status, 422)
  const [, again = ''] = /<form [^>]*id="edit-form"([\s\S]*?)<\/form>/.exec(text) ?? []
  assert.match(again, /name="company"[^>]* value="Ostwerk"/)
  assert.match(again, /name="age"[^>]* value="-1"/)
  assert.deepEqual((await service.request('GET', `/customers/${id}`)).body.age, 40)
})
