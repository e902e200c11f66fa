import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { suite, test } from 'node:test'
import { publishedManifest } from '../../tools/package/manifest.ts'

const start = join(import.meta.dirname, '../../src/start.js')

suite('on a Node that is too old', () => {
  /** This Node, which says that it is another. */
  const runAs = (version: string) => {
    const pretend = `data:text/javascript,Object.defineProperty(process,'version',{value:'v${version}'})`
    return spawnSync(process.execPath, ['--import', pretend, start, '--version'], { encoding: 'utf8' })
  }

  for (const version of ['8.17.0', '20.20.2', '24.6.9', '24.0.0-nightly']) {
    test(`${version}, the command says so in one line and ends with 1`, () => {
      const { status, stdout, stderr } = runAs(version)
      assert.deepEqual([status, stdout], [1, ''])
      assert.equal(stderr, `dealdesk needs Node 24.7 or newer; this is ${version}\n`)
    })
  }

  test('the next ones will do, and the package asks for the same', () => {
    for (const version of ['24.7.0', '25.0.0', '100.0.1']) assert.equal(runAs(version).status, 0, version)
    assert.deepEqual(publishedManifest({}).engines, { node: '>=24.7' })
  })

  test('nothing that an old one lacks is asked for before the check', () => {
    const text = readFileSync(start, 'utf8')
    assert.doesNotMatch(text, /^\s*(import|export)\s/m)
    // ES2019, and `await` at the top, which came with Node 14.8.
    assert.doesNotMatch(text, /\?\.|\?\?|\|\|=|&&=|#\w|\d_\d|\bstatic\b|\/v\b/)
  })

  const old = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path) && isOld(path))

  test('a real one reads as far as the check', { skip: old === undefined && 'there is no old Node here' }, () => {
    const { status, stderr } = spawnSync(old ?? '', [start], { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^dealdesk needs Node [\d.]+ or newer; this is [\d.]+\n$/)
  })
})

function isOld(path: string): boolean {
  const [major = 0] = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.slice(1).split('.').map(Number)
  return major > 14 && major < 24
}
