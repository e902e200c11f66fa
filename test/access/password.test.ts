import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hashPassword, isPassword, nobodysHash } from '../../src/access/password.ts'
import { newPassword } from '../../src/model/nouns/user/password.ts'

suite('a password', () => {
  test('is kept as an argon2id hash with 19 MiB, two passes and one lane, salted', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.notEqual(first, second)
  })

  test('matches its own hash and no other', async () => {
    const hash = await hashPassword('correct horse')
    assert.equal(await isPassword('correct horse', hash), true)
    assert.equal(await isPassword('correct horse ', hash), false)
    assert.equal(await isPassword('', hash), false)
  })

  test('of nobody costs the same hashing and matches nothing', async () => {
    assert.match(nobodysHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(await isPassword('', nobodysHash), false)
  })

  test('does not match what is no hash of ours', async () => {
    for (const hash of ['', 'correct horse', '$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA', '$argon2id$v=19$m=8$A$A']) {
      assert.equal(await isPassword('correct horse', hash), false, hash)
    }
  })
})

test('a password is none of the most frequent ones, with whatever digits', () => {
  const isTaken = (password: string): boolean => 'value' in newPassword.read(password)
  for (const frequent of [
    'q1w2e3r4t5y6',
    '1qaz2wsx3edc',
    'leavemealone',
    'Chester-1985!',
    'yankees20261',
    'r4bb1t-r4bb1t',
  ]) {
    assert.equal(isTaken(frequent), false, frequent)
  }
  for (const good of ['correct horse battery', 'four words in a row', 'Zugspitze um halb 8', 'tmFqbX2ooYkLwc']) {
    assert.equal(isTaken(good), true, good)
  }
})
