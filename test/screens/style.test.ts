import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'

const src = join(import.meta.dirname, '../../src')
const folder = join(src, 'screens/assets/style')
const declarations = globSync('*.css', { cwd: folder }).flatMap((file) =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/^\s+([a-z-]+):\s*([^;{]+);/gm)].map(
    ([, property = '', value = '']) => ({ told: `${file}: ${property}: ${value}`, property, value }),
  ),
)

const usedTokens = new Set(
  [...globSync('**/*.css', { cwd: join(src, 'screens/assets') })].flatMap((file) =>
    [...readFileSync(join(src, 'screens/assets', file), 'utf8').matchAll(/var\((--[\w-]+)\)/g)].map(
      ([, name = '']) => name,
    ),
  ),
)

/** Whether a shorthand of four values has one for the left that the right does not have. */
const differsBySide = (property: string, value: string): boolean => {
  const [top, right, bottom, left] = withoutArguments(value).split(/\s+/)
  if (left === undefined) return false
  return property === 'border-radius' ? top !== right || bottom !== left : right !== left
}

/** A value with its functions as words: a space within one separates nothing. */
const withoutArguments = (value: string): string => {
  const less = value.replace(/\([^()]*\)/g, '')
  return less === value ? value : withoutArguments(less)
}

/** The classes that a selector names. */
const styled = new Set(
  globSync('*.css', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, ''))
    .flatMap((sheet) => [...sheet.matchAll(/([^{}]+)\{/g)])
    .flatMap(([, selector = '']) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name)),
)

const markup = globSync(['screens/**/*.{ts,js}', 'representations/html/*.ts', 'representations/html.ts'], { cwd: src })
  .map((file) => readFileSync(join(src, file), 'utf8'))
  .join('\n')

suite('the style sheets', () => {
  test('have no rule for what no page has', () => {
    const texts = markup.replaceAll(/^import .*$/gm, '').replaceAll(/\bsay\(\s*'(?:[^'\\]|\\.)*'/g, '')
    const literals = [...texts.matchAll(/'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`]*`/g)].join('\n')
    const words = new Set(literals.match(/[a-z][\w-]*/g))
    // Columns that narrow screens hide are told by their number.
    const unused = [...styled].filter((name) => !words.has(name.replace(/\d+$/, '')))
    assert.ok(styled.size > 100)
    assert.deepEqual(unused, [])
  })

  test('have a rule for what pages mark, unless the script looks for it', () => {
    const marked = [...markup.matchAll(/\bclass="([^"`]*)"|\bclassName: '([^']*)'/g)].flatMap(([, html, made]) =>
      (html ?? made ?? '').replaceAll(/\$\{[^}]*\}?/g, ' ').split(' '),
    )
    const asked = new Set([...markup.matchAll(/'[^'\n]*\.([a-z][\w-]*)[^'\n]*'/g)].map(([, name = '']) => name))
    const unknown = new Set(
      marked.filter((name) => /^[a-z][\w-]*$/.test(name) && !styled.has(name) && !asked.has(name)),
    )
    assert.deepEqual([...unknown], [])
  })

  test('have no colour, size or duration that is not a token', () => {
    const own = declarations.filter(
      ({ property, value }) =>
        !property.startsWith('--icon') &&
        /#[\da-f]{3,8}\b|\b(rgb|hsl|oklch|light-dark)a?\(|\b(black|white|gr[ae]y|red|green|blue)\b|\b\d*\.?\d+(px|rem|pt|m?s)\b/i.test(
          value,
        ),
    )
    assert.deepEqual(
      own.map(({ told }) => told),
      [],
    )
    const tokens = readFileSync(join(src, 'screens/assets/tokens.css'), 'utf8')
    const known = new Set([...tokens.matchAll(/^\s+(--[\w-]+):/gm)].map(([, name]) => name))
    const unknown = declarations.flatMap(({ told, value }) =>
      [...value.matchAll(/var\((--(?!icon)[\w-]+)\)/g)].flatMap(([, name]) => (known.has(name) ? [] : [told])),
    )
    assert.deepEqual(unknown, [])
    assert.deepEqual(
      [...known].filter((name) => !usedTokens.has(name ?? '')),
      [],
      'each is used',
    )
  })

  test('have each sign that pages show, and no other', () => {
    const drawn = [...readFileSync(join(folder, 'icons.css'), 'utf8').matchAll(/data-icon="(\w+)"/g)]
    const words = new Set(markup.match(/'\w+'|"\w+"/g)?.map((each) => each.slice(1, -1)))
    assert.ok(drawn.length > 10)
    assert.deepEqual(
      drawn.map(([, name = '']) => name).filter((name) => !words.has(name)),
      [],
    )
    const shown = [...markup.matchAll(/data-icon="(\w+)"|icon: '(\w+)'/g)].map(([, one, other]) => one ?? other)
    const known = new Set(drawn.map(([, name]) => name))
    assert.deepEqual(
      shown.filter((name) => !known.has(name)),
      [],
    )
  })

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
