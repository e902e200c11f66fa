import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'

const root = join(import.meta.dirname, '../..')

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

for (const page of ['docs/security.md', 'docs/reliability.md']) {
  test(`${page} names tests that are there`, () => {
    const named = [...read(page).matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file]) => file ?? '')
    assert.ok(named.length > 10)
    for (const file of named) assert.ok(existsSync(join(root, file)), file)
  })
}

suite('docs/security.md', () => {
  const page = read('docs/security.md')

  test('has every point of the OWASP API Security Top 10', () => {
    for (let n = 1; n <= 10; n++) assert.match(page, new RegExp(`^\\| \\*\\*API${n} `, 'm'))
  })
})
