import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Language, languages } from '../../src/languages/language.ts'
import { anybody } from '../../src/languages/reader.ts'
import { type Told, tell, tellIn } from '../../src/languages/tell.ts'
import { open } from '../../src/model/nouns/deal/rules.ts'
import { webhookTypes } from '../../src/model/nouns/webhook/webhook.ts'
import { type Reason, reason } from '../../src/values/faults/fault.ts'
import { readMembers } from '../../src/values/members.ts'
import { deal } from '../support/schema.ts'

const german = languages.get('de')?.() as Language
const inGerman = (what: Reason | Told): string | undefined => tellIn(german, what)

suite('a reason', () => {
  const read = readMembers(deal.create, {
    name: '',
    price: 'much',
    currency: 'XXX',
    stage: 'lead',
    owner: 'o'.repeat(201),
  })
  const faults = 'faults' in read ? read.faults : []

  test('is told in English without a language', () => {
    assert.deepEqual(
      faults.map((each) => tell(each)),
      [
        'must not be empty',
        'must be a number',
        'must be one of the ISO 4217 codes such as EUR',
        'must have at most 200 characters, not 201',
      ],
    )
  })

  test('has the singular for a count or a maximum of one, in every language', () => {
    const said = (what: Reason) => [...languages.values()].map((language) => tellIn(language(), what))
    assert.equal(tell(reason('uneven-row', { count: 1, columns: 4 })), 'has 1 cell where the header has 4')
    assert.equal(tell(reason('uneven-row', { count: 2, columns: 1 })), 'has 2 cells where the header has 1')
    assert.equal(tell(reason('too-long', { max: 1, length: 3 })), 'must have at most 1 character')
    for (const sentence of said(reason('uneven-row', { count: 1, columns: 4 })))
      assert.doesNotMatch(sentence ?? '', /cells|Zellen|cellules|celdas/)
    for (const sentence of said(reason('too-long', { max: 1, length: 3 })))
      assert.doesNotMatch(sentence ?? '', /characters|caractères|caracteres/)
  })

  test('is told in another language with its facts', () => {
    assert.deepEqual(faults.map(inGerman), [
      'darf nicht leer sein',
      'muss eine Zahl sein',
      'muss einer der ISO-4217-Codes wie EUR sein',
      'darf höchstens 200 Zeichen haben, nicht 201',
    ])
  })

  test('has the form that its facts ask for', () => {
    assert.equal(tell(reason('type', { wants: 'object' })), 'must be a JSON object')
    assert.equal(tell(reason('unknown', { near: 'price' })), 'is not known here, did you mean price?')
    assert.equal(tell(reason('unknown')), 'is not known here')
    assert.equal(inGerman(reason('unknown', { near: 'price' })), 'ist hier nicht bekannt, meinten Sie price?')
  })

  test('has facts as they were sent, which the sentence quotes', () => {
    const read = webhookTypes(deal.schema).read(['deal.*', 'deal.nothing'])
    const why = 'fault' in read ? read.fault : undefined
    assert.deepEqual(why, reason('unknown-event-type', { type: 'deal.nothing' }))
    assert.match(tell(why), / not "deal\.nothing"$/)
    assert.match(inGerman(why) ?? '', / nicht „deal\.nothing“$/)
  })

  test('lists words as the language does', () => {
    const text = 'At least one {on} refers to the {resource} {id}.'
    const inUse = { text, with: { resource: 'customer', id: 7, on: ['deal', 'task'] } }
    assert.equal(tell(inUse), 'At least one deal or task refers to the customer 7.')
    assert.equal(inGerman(inUse), 'Kunde 7: Mindestens ein Deal oder Aufgabe verweist darauf.')
  })
})

suite('a told text', () => {
  const state = { status: 'cancelled', held: false, archived: false, amercement: 0, deletedAt: null } as const
  const refused = {
    text: '{operation} is not allowed: {why}.',
    with: { operation: 'hold', why: open.reason(state) },
  }

  test('is filled with words of the model and with reasons', () => {
    assert.equal(tell(refused), 'hold is not allowed: the deal is cancelled.')
    assert.equal(tellIn(anybody.language, refused), 'hold is not allowed: the deal is lost.', 'as people say it')
    assert.equal(inGerman(refused), 'hold ist nicht möglich: der Deal ist verloren.')
  })

  test('that a language lacks, or a part of it, is told in English', () => {
    const kept = reason('kept', { text: 'the deal is on hold' })
    assert.equal(inGerman('a sentence that nobody translated'), undefined)
    assert.equal(inGerman({ ...refused, with: { operation: 'hold', why: kept } }), undefined)
    assert.equal(
      tell({ ...refused, with: { operation: 'hold', why: kept } }, german),
      'hold is not allowed: the deal is on hold.',
    )
  })

  test('keeps what people typed, in their words for the language', () => {
    const text = 'A deal needs these fields to enter {stage}: {fields}.'
    const fields = [{ text: 'Owner' }, { title: 'Budget', titles: { de: 'Etat' } }, { title: 'Owner', titles: {} }]
    const needed = { text, with: { stage: { text: 'Agreed upon' }, fields } }
    assert.equal(tell(needed), 'A deal needs these fields to enter Agreed upon: Owner, Budget, Owner.')
    assert.equal(inGerman(needed), 'Für die Phase Agreed upon braucht ein Deal diese Felder: Zuständig, Etat, Owner.')
  })

  test('keeps braces that are not its places', () => {
    assert.equal(tell('There is nothing at /x/{id}.'), 'There is nothing at /x/{id}.')
    assert.equal(tell({ text: 'See {address}.', with: { address: '/x/{id}' } }), 'See /x/{id}.')
  })
})
