import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Person, personNamed } from '../../src/model/nouns/user/person.ts'
import { caseless } from '../../src/values/fold.ts'

const person = (
  name: string,
  fullName: string | null = null,
  email: string | null = null,
  disabled = false,
): Person => ({
  ...{ name, fullName, email, disabled },
})

const people = [
  person('anna', 'Anna Weiß', 'anna@example.com'),
  person('bert', 'Bert Öztürk', 'Bert@Example.com'),
  person('carla', 'Carla Núñez'),
  person('dora', 'Dora Alt', 'dora@example.com', true),
  person('Özlem', 'Bert Öztürk'),
  person('gabo', 'Gabriel García Márquez'),
]

const named = (text: string, byWords = false): string => {
  const found = personNamed(people, text, byWords ? { byWords } : {})
  if ('name' in found) return found.name
  const { code, with: facts = {} } = found.fault
  return `${code} ${JSON.stringify(facts.ids ?? facts.near ?? null)}`
}

suite('a text for a person', () => {
  test('is the name of an enabled user, whatever its case', () => {
    assert.equal(named('anna'), 'anna')
    assert.equal(named('ANNA'), 'anna')
    assert.equal(named('öZLEM'), 'Özlem')
  })

  test('of programs is nothing but a name, and the nearest user is told', () => {
    assert.equal(named('ozlem'), 'not-found "Özlem"')
    assert.equal(named('anan'), 'not-found "anna"')
    assert.equal(named('Carla Núñez'), 'not-found "carla"')
    assert.equal(named('anna@example.com'), 'not-found "anna"')
    assert.equal(named('carla nunez'), 'not-found "carla"')
    assert.equal(named('dora'), 'not-found null')
    assert.equal(named('Zacharias'), 'not-found null')
  })

  test('of people is also a full name or an address, in the spellings of files', () => {
    for (const text of ['Carla Núñez', 'carla  núñez', 'Núñez, Carla', 'Carla Núñez (carla@old.example)'])
      assert.equal(named(text, true), 'carla', text)
    assert.equal(named('García Márquez, Gabriel', true), 'gabo')
    assert.equal(named('ANNA@example.com', true), 'anna')
    assert.equal(named('A. Weiss (anna@example.com)', true), 'anna')
    assert.equal(named('Bert Öztürk (bert@example.com)', true), 'bert')
    assert.equal(named('Bert Öztürk <bert@example.com>', true), 'bert')
    assert.equal(named('Bert Öztürk (Özlem)', true), 'Özlem')
    assert.equal(named('Carla Nunez', true), 'not-found "carla"')
    assert.equal(named('Dora Alt', true), 'not-found null')
    assert.equal(named('Karla', true), 'not-found "carla"')
  })

  test('that is the full name of several is refused with their names', () => {
    assert.equal(named('Bert Öztürk', true), 'several-found ["bert","Özlem"]')
  })

  test('is the one in exactly its case where two names differ by case alone', () => {
    const both = [person('Karl'), person('karl'), person('KARL', null, null, true)]
    assert.deepEqual(personNamed(both, 'karl'), { name: 'karl' })
    assert.deepEqual(personNamed(both, 'Karl'), { name: 'Karl' })
    assert.deepEqual(personNamed(both.slice(1), 'kARL'), { name: 'karl' })
    const found = personNamed(both, 'kARL')
    assert.deepEqual('fault' in found && found.fault.with?.ids, ['Karl', 'karl'])
  })
})

test('letters in another case are the same, accents are not', () => {
  assert.equal(caseless('ÖZLEM'), 'özlem')
  assert.equal(caseless('ΣΊΣΥΦΟΣ'), caseless('Σίσυφος'))
  assert.notEqual(caseless('Jose'), caseless('José'))
  assert.equal(caseless('İ'), 'İ')
})
