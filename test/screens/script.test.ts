import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite, test } from 'node:test'
import { Script } from 'node:vm'
import { constantOf, joinedScript } from '../../src/screens/shell/script.ts'

const folder = join(import.meta.dirname, '../../src/screens/assets/script')
const names = globSync('*.js', { cwd: folder }).map((file) => basename(file, '.js'))
const textOf = (name: string): string => readFileSync(join(folder, `${name}.js`), 'utf8')

interface Import {
  readonly names: readonly string[]
  readonly from: string
}

const importsOf = (name: string): readonly Import[] =>
  [...textOf(name).matchAll(/^import (?:\{([^}]*)\} from )?'\.\/(.*)\.js'$/gm)].map(([, names = '', from = '']) => ({
    names: names.split(',').flatMap((each) => each.trim() || []),
    from,
  }))

suite('the script of all pages', () => {
  const text = joinedScript('page', {})

  test('has each module once, after those that it imports', () => {
    const made = [...text.matchAll(/^const (\w+) = \(\(/gm)].map(([, constant]) => constant)
    assert.deepEqual(made.toSorted(), names.map(constantOf).toSorted())
    for (const name of names)
      for (const { from } of importsOf(name))
        assert.ok(made.indexOf(constantOf(from)) < made.indexOf(constantOf(name)), `${name} imports ${from}`)
  })

  test('is a plain script: nothing is left of imports and exports', () => {
    assert.doesNotThrow(() => new Script(text))
    assert.throws(() => new Script(`${text}\nexport const a = 1`), SyntaxError)
  })

  test('gives to each module what it imports', () => {
    for (const { names: needed, from } of names.flatMap(importsOf)) {
      const exported = [...textOf(from).matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      )
      assert.deepEqual(
        needed.filter((name) => !exported.includes(name)),
        [],
        from,
      )
    }
  })

  test('has what the service provides in place of the module that stands for it', () => {
    const provided = { texts: { No: 'Nein' }, eventTypes: ['deal.held'] }
    const lines = joinedScript('page', { 'from-service': provided }).split('\n')
    assert.deepEqual(
      lines.filter((line) => line.startsWith('const fromService')),
      [`const fromService = ${JSON.stringify(provided)}`],
    )
  })
})
