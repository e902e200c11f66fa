import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { representations } from '../../src/representations/representations.ts'
import { runs } from '../../tools/long-tests/runs.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const guides = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/README.md']
const documents = [...guides, ...globSync('docs/**/*.md', { cwd: root })].toSorted()
const sources = globSync('{src,test,bench,tools}/**/*.{ts,js,css}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})

const numbers = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, number]) => number ?? '')

suite('decisions', () => {
  const files = readdirSync(join(root, 'docs/decisions'))
    .filter((file) => file !== 'README.md')
    .toSorted()

  test('are numbered without a gap, in the file name and in the title', () => {
    for (const [index, file] of files.entries()) {
      const number = String(index + 1).padStart(4, '0')
      assert.ok(file.startsWith(`${number}-`), `${file} should be ${number}`)
      assert.match(read(`docs/decisions/${file}`), new RegExp(`^# ${number} \\S`), file)
    }
  })

  test('are all in the list of decisions, once', () => {
    const listed = numbers(read('docs/decisions/README.md'), /\]\((\d{4}-[^)]+)\)/g)
    assert.deepEqual(listed.toSorted(), files)
  })

  test('that are cited exist', () => {
    const known = new Set(files.map((file) => file.slice(0, 4)))
    for (const file of [...documents, ...sources]) {
      const text = read(file)
      for (const number of numbers(text, /decisions?[ /](\d{4})\b/g)) assert.ok(known.has(number), `${file}: ${number}`)
      for (const number of numbers(text, /\[(\d{4})\]\(/g)) assert.ok(known.has(number), `${file}: ${number}`)
    }
  })
})

for (const document of documents) {
  test(`every file that ${document} links to exists`, () => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '')
    const local = links.filter((link) => !/^(https?:|\/|#)/.test(link)).map((link) => link.replace(/#.*$/, ''))
    for (const link of local) assert.ok(existsSync(join(root, dirname(document), link)), link)
  })

  test(`every path that ${document} names exists`, () => {
    const named = [...read(document).matchAll(/`((?:src|test|docs|deploy|bench|tools)(?:\/[^`\s]*)?)`/g)].map(
      ([, path]) => path ?? '',
    )
    for (const path of named) assert.ok(globSync(path, { cwd: root }).length > 0, path)
  })

  test(`every script that ${document} names exists`, () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly [name: string]: string } }
    for (const [, script = ''] of read(document).matchAll(/npm run (?:-s )?([\w:-]+)/g)) {
      assert.ok(Object.hasOwn(scripts, script), script)
    }
    for (const [, run = ''] of read(document).matchAll(/npm run test:long -- ([a-z-]+)/g)) {
      assert.ok(Object.hasOwn(runs, run), run)
    }
  })
}

test('every long run finds its tests', () => {
  const patterns = Object.entries(runs).flatMap(([run, { tests = [] }]) => tests.map((pattern) => ({ run, pattern })))
  for (const { run, pattern } of patterns) assert.ok(globSync(pattern, { cwd: root }).length > 0, `${run}: ${pattern}`)
})

test('the version is the same wherever it is written, and between releases it is the next one with -dev', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string }
  const lock = JSON.parse(read('package-lock.json')) as {
    readonly version: string
    readonly packages: { readonly '': { readonly version: string } }
  }
  assert.deepEqual([lock.version, lock.packages[''].version], [version, version])
  const [, release, between] = /^(\d+\.\d+\.\d+)(-dev)?$/.exec(version) ?? []
  const headings = numbers(read('CHANGELOG.md'), /^## (\S+)/gm)
  const expected = between === undefined ? release : 'Unreleased'
  assert.equal(headings[0], expected, 'the changelog begins with what this version is')
  assert.notEqual(headings[1], release, 'a version that is released is not on the way')
  const upgrades = [...read('docs/upgrading.md').matchAll(/^\| (\d\S+) \| (\d\S+) \|/gm)].map(([, ...row]) => row)
  assert.deepEqual(upgrades.at(-1), [headings[1], release], 'docs/upgrading.md has a row for this release')
  assert.equal(/This is version (\S+);/.exec(read('README.md'))?.[1], version)
  assert.deepEqual(
    ['deploy/kubernetes/dealdesk.yaml', 'compose.yaml', 'Dockerfile', 'docs/deploying.md'].flatMap((file) =>
      numbers(read(file), /\bdealdesk:(\d\S+)/g),
    ),
    [version, version, version, version, version],
  )
})

test('docs/formats.md lists every representation with its media type', () => {
  const rows = [...read('docs/formats.md').matchAll(/^\| `\.(\w+)` \| `([^`]+)` \|/gm)].map(([, ...row]) => row)
  assert.deepEqual(
    rows,
    representations.map(({ name, mediaTypes }) => [name, mediaTypes[0]]),
  )
})

test('docs/choosing-a-form.md has a row for each client of tools/clients, and a reason for what one does not do', () => {
  const [, table = ''] = read('docs/choosing-a-form.md').split(/<!-- \/?clients -->/)
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (client|---) /.test(line))
  const packages = globSync('tools/clients/clients/*.ts', { cwd: root }).map((file) =>
    numbers(/packages: \[([^\]]*)\]/.exec(read(file))?.[1] ?? '', /'([^']+)'/g).join(', '),
  )
  const tried = rows.map((row) => row.split(' | ')[0]?.replaceAll(/^\| | \d[^,]*(?=,|$)/g, ''))
  assert.deepEqual(tried.toSorted(), packages.toSorted())
  for (const number of numbers(table, /no \((\d+)\)/g)) assert.match(table, new RegExp(`^${number}\\. \\S`, 'm'))
  assert.doesNotMatch(table, /fails|\| +\|/)
})

test('every file that ARCHITECTURE.md names without its folder exists', () => {
  const named = [...read('ARCHITECTURE.md').matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => name ?? '')
  for (const name of named) assert.ok(globSync(`src/**/${name}`, { cwd: root }).length > 0, name)
})

suite('every folder of src', () => {
  const folders = globSync('src/*/', { cwd: root }).map((path) => path.replace(/\/$/, ''))

  for (const document of ['ARCHITECTURE.md', 'CONTRIBUTING.md']) {
    test(`is in ${document}`, () => {
      const text = read(document)
      for (const folder of folders) assert.ok(text.includes(`\`${folder}\``), folder)
    })
  }
})
