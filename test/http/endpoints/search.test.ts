import assert from 'node:assert/strict'
import { before } from 'node:test'
import { isOneEditAway, searchedParts } from '../../../src/http/ask/near-text.ts'
import { distance } from '../../../src/values/faults/nearest.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { TestService } from '../../support/service/running-service.ts'

let service: TestService
let muller: number
let roof: string
before(async () => {
  service = await roomService()
  const add = async (path: string, body: object) => (await service.request('POST', path, { body })).body as never
  muller = ((await add('/customers', { name: 'Müller', company: 'Dachbau' })) as { id: number }).id
  await add('/customers', { name: 'Anna Müllerin' })
  await add('/customers', { name: 'Mullers Söhne' })
  roof = ((await add(DEALS, { name: 'Roof', price: 5, customerId: muller })) as { id: string }).id
  await add(DEALS, { name: 'Muller', price: 5 })
  await add('/customers', { name: 'Jo Kern', phone: '0171 / 55 50 (0) 00', company: 'Projekt Küche' })
  await add('/customers', { name: 'Li Kern', phone: '+49 30 555 005' })
  await add('/customers', { name: 'Ed Kern', phone: '0441987654' })
  for (let n = 0; n < 25; n++) await add('/customers', { name: `Zed ${n}` })
})

interface Found {
  readonly type: string
  readonly id: string | number
  readonly name: string
  readonly match: string
  readonly href: string
}
async function found(text: string): Promise<readonly Found[]> {
  const answer = await service.request('GET', `/search?q=${encodeURIComponent(text)}`)
  assert.equal(answer.status, 200, answer.text)
  return (answer.body as unknown as { items: readonly Found[] }).items
}

testOnEachStore('a search finds things of every kind, best first', async () => {
  const items = await found('MULLER')
  assert.deepEqual(
    items.map(({ type, name, match }) => `${match} ${type} ${name}`),
    [
      'exact deal Muller',
      'exact customer Müller',
      'starts customer Mullers Söhne',
      'contains customer Anna Müllerin',
      'contains deal Roof',
    ],
  )
  for (const { href, id } of items) assert.equal((await service.request('GET', href)).body.id, id)
})

testOnEachStore('at most twenty of each kind are shown', async () => {
  const items = await found('zed')
  assert.equal(items.length, 20)
  assert.equal((await found('zed 3'))[0]?.match, 'exact')
})

testOnEachStore('the digits of a phone number are found, whatever separates them', async () => {
  const names = async (text: string) => (await found(text)).map(({ name }) => name)
  for (const text of ['01715550000', '0171-5550', '(0171)55500', '1715550', '0171 5550000'])
    assert.deepEqual(await names(text), ['Jo Kern'], text)
  assert.deepEqual(await names('30555005'), ['Li Kern'])
  assert.deepEqual(await names('0441/987-654'), ['Ed Kern'])
  assert.deepEqual(await names('kern 01715550000'), ['Jo Kern'])
  assert.deepEqual(await names('7155-x'), [])
  const { body } = await service.request('GET', '/customers?q=01715550000&fields=name')
  assert.deepEqual(body.items, [{ name: 'Jo Kern' }])
})

testOnEachStore('one typing error is forgiven where nothing matches', async () => {
  const meant = async (text: string) =>
    (await service.request('GET', `/search?q=${encodeURIComponent(text)}`)).body as unknown as {
      readonly didYouMean?: string
      readonly items: readonly unknown[]
    }
  for (const [text, near] of [
    ['müler', 'Muller'],
    ['prjekt', 'Projekt'],
    ['projetk', 'Projekt'],
    ['prokekt', 'Projekt'],
    ['porjekt', 'Projekt'],
    ['jo prjekt', 'jo Projekt'],
    ['dachba', undefined],
    ['dachxxu', undefined],
    ['12345678', undefined],
    ['anna prjekt', undefined],
  ] as const) {
    const answer = await meant(text)
    assert.equal(answer.didYouMean, near, text)
    if (near !== undefined) assert.ok((await meant(near)).items.length > 0)
  }
})

/** Every text that one edit makes of a word. */
function editsOf(word: string): readonly string[] {
  const letters = Array.from(word)
  const at = (make: (place: number) => readonly string[]) => letters.map((_, place) => make(place).join(''))
  return [
    ...at((place) => letters.toSpliced(place, 1)),
    ...at((place) => letters.toSpliced(place, 1, '#')),
    ...at((place) => letters.toSpliced(place, 0, '#')),
    `${word}#`,
    ...at((place) => letters.toSpliced(place, 2, letters[place + 1] ?? '', letters[place] ?? '')).slice(0, -1),
  ]
}

const WORDS = ['jyqw', 'fvoxk', 'gwubzy', 'hxipcqd', 'kzwermop']

test('every single typing error in a word of four letters or more is forgiven', async () => {
  await service.request('POST', '/customers', { body: { name: WORDS.join(' ') } })
  for (const word of WORDS)
    for (const text of editsOf(word)) {
      const { body } = await service.request('GET', `/search?q=${encodeURIComponent(text)}`)
      if (text.length >= 4 && !word.includes(text)) assert.equal(body.didYouMean, word, text)
    }
})

test('one edit away is what the distance of two words says', () => {
  const texts = WORDS.flatMap((word) => [word, ...editsOf(word), ...editsOf(word).slice(0, 9).flatMap(editsOf)])
  for (const word of WORDS)
    for (const text of texts) assert.equal(isOneEditAway(text, word), distance(text, word) === 1, `${text} ${word}`)
})

test('no part of a longer word is looked for alone if the index cannot find it', () => {
  for (const word of WORDS.slice(1))
    for (const [part, ...others] of searchedParts(word).flat()) assert.ok(others.length > 0 || (part ?? '').length >= 3)
})

testOnEachStore('names come before what belongs to a name', async () => {
  const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ida Grünwald' } })
  for (let n = 0; n < 3; n++)
    await service.request('POST', DEALS, { body: { name: `Shed ${n}`, price: 1, customerId: customer.id } })
  assert.deepEqual(
    (await found('grunwald')).map(({ type }) => type),
    ['customer', 'deal', 'deal', 'deal'],
  )
})

testOnEachStore('a number or an id finds its thing', async () => {
  assert.deepEqual((await found(String(muller)))[0]?.name, 'Müller')
  assert.deepEqual(
    (await found(roof)).map(({ name, match }) => [name, match]),
    [['Roof', 'id']],
  )
  await service.request('DELETE', `${DEALS}/${roof}`)
  assert.deepEqual(await found(roof), [])
})

test('a search is a page for people and a document for programs', async () => {
  const html = await service.request('GET', '/search?q=anna', { headers: { accept: 'text/html' } })
  assert.match(html.text, /<mark>Anna<\/mark> Müllerin/)
  const folded = await service.request('GET', '/search?q=mULLER+dach', { headers: { accept: 'text/html' } })
  assert.match(folded.text, /<mark>Müller<\/mark><\/a> <span class="quiet"><mark>Dach<\/mark>bau/)
  const dialled = await service.request('GET', '/search?q=01715550000', { headers: { accept: 'text/html' } })
  assert.match(dialled.text, /<mark>0171 \/ 55 50 \(0\) 00<\/mark>/)
  const meant = await service.request('GET', '/search?q=prjekt', { headers: { accept: 'text/html' } })
  assert.match(meant.text, /Did you mean <a href="\/search\?q=Projekt">Projekt<\/a>\?/)
  const xml = await service.request('GET', '/search.xml?q=anna')
  assert.match(xml.text, /<name>Anna Müllerin<\/name>/)
})

test('a search for nothing, for too much, and with an unknown parameter is refused', async () => {
  for (const query of [
    '',
    '?q=',
    '?q=+',
    `?q=${'a'.repeat(201)}`,
    `?q=${'a+'.repeat(5)}b+c+d+e+f+g+h+i+j+k`,
    '?q=a&x=1',
  ]) {
    const answer = await service.request('GET', `/search${query}`)
    assert.equal(answer.status, 400, query)
    assert.equal(answer.body.code, 'invalid-parameter', query)
  }
})
