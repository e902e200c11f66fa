import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'

const folder = join(import.meta.dirname, '../../src/screens/assets/style')
const declarations = globSync('*.css', { cwd: folder }).flatMap((file) =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/^\s+([a-z-]+):\s*([^;{]+);/gm)].map(
    ([, property = '', value = '']) => ({ told: `${file}: ${property}: ${value}`, property, value }),
  ),
)

/** Whether a shorthand of four values has one for the left that the right does not have. */
const differsBySide = (property: string, value: string): boolean => {
  const [top, right, bottom, left] = value.replace(/\([^()]*\)/g, '()').split(/\s+/)
  if (left === undefined) return false
  return property === 'border-radius' ? top !== right || bottom !== left : right !== left
}

suite('the style sheets', () => {
  test('name no left or right, so that they fit languages written from right to left', () => {
    assert.ok(declarations.length > 300)
    const physical = declarations.filter(
      ({ property, value }) =>
        /(^|-)(left|right)(-|$)/.test(property) ||
        (/^(text-align|float|clear)$/.test(property) && /left|right/.test(value)) ||
        (/^(margin|padding|inset|border-width|border-style|border-color|border-radius)$/.test(property) &&
          differsBySide(property, value)),
    )
    assert.deepEqual(
      physical.map(({ told }) => told),
      [],
    )
  })
})
