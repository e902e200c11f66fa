import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { addUser } from '../../src/access/as-operator.ts'
import { desk } from '../support/browser/desk.ts'
import { FULL_NAME, SELLER, tell } from '../support/browser/seller.ts'
import { beginning } from '../support/browser/stories/beginning.ts'
import { looking } from '../support/browser/stories/looking.ts'
import { selling } from '../support/browser/stories/selling.ts'
import { readings } from '../support/browser/ways.ts'
import { basic } from '../support/service/closed-service.ts'

// What a seller does every day, in English and German, with and without script: what is shown follows the reader. A
// story more is one entry of its list.

const work = desk()

suite('a seller', () => {
  before(async () => {
    for (const [name, fullName] of [
      [SELLER, FULL_NAME],
      ['dan', 'Dan Weiß'],
    ] as const) {
      await addUser(work.service.store, { name, role: 'admin', password: `password of ${name}` })
      const headers = basic(name)
      const named = await work.service.request('PATCH', `/users/${name}`, { headers, body: { fullName } })
      assert.equal(named.status, 200, named.text)
    }
  })

  for (const [does, story] of Object.entries({ ...beginning, ...selling, ...looking }))
    for (const reading of readings()) test(`${does}, ${reading.name}`, () => tell(story, reading, work))
})
