import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { speakingTo } from '../../src/languages/current-reader.ts'
import { readerWith } from '../../src/languages/reader.ts'
import { retold } from '../../src/languages/retold.ts'
import { deal } from '../../src/model/deal/deal.ts'
import { open } from '../../src/model/deal/rules.ts'
import { readMembers } from '../../src/values/members.ts'

const inGerman = (text: string): string | undefined => speakingTo(readerWith({ locale: 'de' }), () => retold(text))

suite('what the service makes in English', () => {
  test('is retold with what is filled into it', () => {
    const read = readMembers(deal.create, {
      name: '',
      price: 'much',
      currency: 'XXX',
      stage: 'lead',
      owner: 'o'.repeat(201),
    })
    const faults = 'faults' in read ? read.faults.map(({ detail }) => inGerman(detail)) : []
    assert.deepEqual(faults, [
      'darf nicht leer sein',
      'muss eine Zahl sein',
      'muss eines von den ISO-4217-Codes wie EUR sein',
      'darf höchstens 200 Zeichen haben, nicht 201',
    ])
  })

  test('reasons within details too', () => {
    const reason = open.reason({ status: 'cancelled', held: false, archived: false, amercement: 0, deletedAt: null })
    assert.equal(inGerman(`hold is not allowed: ${reason}.`), 'hold ist nicht möglich: das Geschäft ist storniert.')
    assert.equal(inGerman('is not known here, did you mean price?'), 'ist hier nicht bekannt, meinten Sie price?')
    assert.equal(inGerman('There is nothing at /x/{id}.'), 'Unter /x/{id} gibt es nichts.')
    assert.equal(
      inGerman('There is nothing at /tasks; did you mean /rest/v1/tasks?'),
      'Unter /tasks gibt es nichts; meinten Sie /rest/v1/tasks?',
    )
  })

  test('stays as it is in English, and is unknown where there is no translation', () => {
    assert.equal(retold('must be an integer'), 'must be an integer')
    assert.equal(inGerman('a sentence that nobody translated'), undefined)
  })
})
