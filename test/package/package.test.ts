import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { blocksOf } from '../support/docs/blocks.ts'
import { runDocument } from '../support/docs/run-document.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'dealdesk-package-'))
const project = join(folder, 'project')
const command = join(project, 'node_modules/.bin/dealdesk')
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  TYPES_ARE_CHECKED: 'true',
}

/** Those of `npm run test:long -- package`. */
const nodes = (process.env.PACKAGE_NODES ?? '').split(',').filter((each) => each !== '')

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

function npm(args: readonly string[], cwd: string) {
  const { npm_execpath: script } = process.env
  const [program, ...before] = script === undefined ? ['npm'] : [process.execPath, script]
  return run(program ?? 'npm', [...before, ...args], { cwd, env: environment })
}

/** Packed from a copy, so that nothing that runs beside it sees the published manifest. */
async function pack(): Promise<string> {
  const copy = join(folder, 'checkout')
  mkdirSync(copy)
  for (const part of [
    'src',
    'docs',
    'deploy',
    'tools/package',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    '.npmrc',
  ]) {
    cpSync(join(root, part), join(copy, part), { recursive: true })
  }
  writeFileSync(join(copy, 'deploy/monitoring/key'), 'dd_secret')
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const before = readFileSync(join(copy, 'package.json'), 'utf8')
  await npm(['pack', '--silent', '--pack-destination', folder], copy)
  assert.equal(readFileSync(join(copy, 'package.json'), 'utf8'), before, 'the manifest of the checkout is back')
  return join(folder, `dealdesk-${readJson(join(root, 'package.json')).version}.tgz`)
}

/**
 * As npm lays it out: unpacked beside the packages that it needs, which are those of the checkout. The long run lets npm
 * do it.
 */
async function unpack(tarball: string): Promise<void> {
  const packages = join(project, 'node_modules')
  mkdirSync(join(packages, '.bin'), { recursive: true })
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('tar', ['-xzf', tarball, '-C', packages])
  renameSync(join(packages, 'package'), join(packages, 'dealdesk'))
  const { dependencies, bin } = readJson(join(packages, 'dealdesk/package.json'))
  for (const name of Object.keys(dependencies)) symlinkSync(join(root, 'node_modules', name), join(packages, name))
  chmodSync(join(packages, 'dealdesk', bin.dealdesk), 0o755)
  symlinkSync(join('..', 'dealdesk', bin.dealdesk), command)
}

/** With the versions that were just tested, which npm has at hand already: nothing is fetched again. */
async function install(tarball: string): Promise<void> {
  const { packages } = readJson(join(root, 'package-lock.json')) as {
    packages: { [path: string]: { dev?: true; version: string; dependencies?: object } }
  }
  const { '': own, ...all } = packages
  const needed = Object.entries(all).filter(([, { dev }]) => dev === undefined)
  const dependencies = { dealdesk: `file:${tarball}` }
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  const dealdesk = {
    version: own?.version,
    resolved: dependencies.dealdesk,
    dependencies: own?.dependencies,
    bin: { dealdesk: 'dist/start.js' },
  }
  const lock = { '': { dependencies }, 'node_modules/dealdesk': dealdesk, ...Object.fromEntries(needed) }
  writeFileSync(
    join(project, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages: lock }),
  )
  await npm(['ci', '--prefer-offline', '--silent'], project)
}

let tarball: string
before(async () => {
  tarball = await pack()
  await (nodes.length > 0 ? install(tarball) : unpack(tarball))
})
after(() => rmSync(folder, { recursive: true }))

suite('the package, installed into an empty project,', () => {
  test('says which Node it needs, brings its licence and no source', () => {
    const manifest = readJson(join(project, 'node_modules/dealdesk/package.json'))
    assert.deepEqual(manifest.engines, { node: '>=24.7' })
    assert.equal(manifest.private, undefined)
    assert.equal(manifest.license, 'MIT')
    assert.match(readFileSync(join(project, 'node_modules/dealdesk/LICENSE'), 'utf8'), /^MIT License\n/)
    assert.equal(manifest.scripts, undefined)
    assert.equal(readJson(join(root, 'package.json')).engines, undefined)
  })

  test('is compiled whole each time: no note of an earlier compilation leaves files out', () => {
    const { compilerOptions } = readJson(join(root, 'tools/package/tsconfig.json'))
    assert.deepEqual([compilerOptions.incremental, compilerOptions.tsBuildInfoFile], [false, null])
  })

  test('is not made of sources with a type error', async () => {
    const copy = join(folder, 'wrong')
    mkdirSync(join(copy, 'src'), { recursive: true })
    for (const part of ['tools/package', 'package.json', 'package-lock.json', 'tsconfig.json']) {
      cpSync(join(root, part), join(copy, part), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    writeFileSync(join(copy, 'src/start.js'), '')
    writeFileSync(join(copy, 'src/wrong.ts'), `export const wrong: number = 'text'\n`)
    const env = { ...environment, TYPES_ARE_CHECKED: undefined }
    const packing = run(process.execPath, [join(copy, 'tools/package/prepack.ts')], { cwd: copy, env })
    await assert.rejects(packing, ({ stdout }: { stdout: string }) => /wrong\.ts.*TS2322/.test(stdout))
  })

  test('brings its documents and what operators start from, and no secret of the checkout', () => {
    const installed = join(project, 'node_modules/dealdesk')
    for (const file of ['docs/operating.md', 'deploy/systemd/dealdesk.service', 'deploy/monitoring/alerts.yaml']) {
      assert.ok(existsSync(join(installed, file)), file)
    }
    assert.ok(!existsSync(join(installed, 'deploy/monitoring/key')))
  })

  test('brings its lock: whoever installs it gets the versions that were tested, and nothing of the tests', () => {
    const { packages } = readJson(join(project, 'node_modules/dealdesk/npm-shrinkwrap.json'))
    const { packages: tested } = readJson(join(root, 'package-lock.json'))
    assert.equal(packages[''].version, readJson(join(root, 'package.json')).version)
    assert.equal(packages['node_modules/fastify'].version, tested['node_modules/fastify'].version)
    assert.equal(packages['node_modules/typescript'], undefined)
  })

  test('has the command, with its help', async () => {
    const { stdout } = await run(command, ['--help'], { env: environment })
    assert.match(stdout, /import[\s\S]*export[\s\S]*backup/)
  })

  test('serves, and its client works with it', async () => {
    const env = { ...environment, PORT: '0', DATABASE_URL: join(folder, 'deals.db'), LOG_LEVEL: 'error' }
    const serving = spawn(command, [], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const url = await address(serving)
      writeFileSync(join(project, 'use.js'), use(url))
      const { stdout } = await run(process.execPath, [join(project, 'use.js')])
      assert.equal(stdout, 'true credit check 409 wrong-state\n')
      const style = await fetch(`${url}/style.css`)
      assert.equal(style.status, 200)
    } finally {
      serving.kill('SIGTERM')
      if (serving.exitCode === null) await once(serving, 'exit')
    }
    assert.equal(serving.exitCode, 0)
  })

  for (const major of nodes) {
    test(`does what the five-minute guide says, literally, from an empty folder, on Node ${major}`, async () => {
      const home = join(folder, `node-${major}`)
      mkdirSync(home)
      await npm(['install', '--silent', '--prefix', home, `node@${major}`], home)
      const node = join(home, 'node_modules/node/bin/node')
      const { stdout: version } = await run(node, ['--version'])
      assert.match(version, new RegExp(`^v${major}\\.`))
      const env = { ...environment, PATH: `${dirname(node)}:${process.env.PATH}`, PORT: '0' }
      const empty = mkdtempSync(join(folder, 'empty-'))
      symlinkSync(tarball, join(empty, basename(tarball)))
      const guide = readFileSync(join(root, 'docs/five-minute-start.md'), 'utf8')
      const [first] = blocksOf(guide)
      assert.equal(first?.language, 'sh')
      const serving = spawn('sh', ['-ec', first?.text ?? ''], {
        cwd: empty,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      })
      const desk = join(empty, 'desk')
      try {
        const url = await address(serving)
        assert.ok(existsSync(join(desk, 'data/dealdesk.db')))
        assert.deepEqual(await runDocument(guide, url), [])
        const code = blocksOf(guide).filter(({ language }) => language === 'ts')
        writeFileSync(
          join(desk, 'deal.mts'),
          code
            .map(({ text }) => text)
            .join('\n')
            .replaceAll('http://localhost:8080', url),
        )
        const { stdout } = await run(node, ['deal.mts'], { cwd: desk })
        assert.match(stdout, /^wrong-state - /)
      } finally {
        // The service is a child of npx, which passes no signal on.
        process.kill(-(serving.pid ?? 0), 'SIGTERM')
        if (serving.exitCode === null) await once(serving, 'exit')
      }
    })
  }

  test('tells the compiler every operation and its parameters', async () => {
    writeFileSync(join(project, 'use.ts'), use('http://localhost').replace('// typed', typed))
    const flags = [
      '--noEmit',
      '--singleThreaded',
      '--strict',
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--types',
      '',
      join(project, 'use.ts'),
    ]
    await run(join(root, 'node_modules/.bin/tsc'), flags, { cwd: project }).catch(({ stdout }) => assert.fail(stdout))
  })
})

async function address({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the service has no output')
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^Dealdesk is ready at (\S+)/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('the service did not start')
}

const use = (url: string): string => `import { connect, DealdeskProblem } from 'dealdesk/client'
const { deals } = connect('${url}')
const { id } = await deals.create({ name: 'Forty espresso machines', price: 51800 })
const { held, holdReason } = await deals.hold(id, { reason: 'credit check' })
const problem = await deals.complete(id).catch((cause) => cause)
if (problem instanceof DealdeskProblem) console.log(held, holdReason, problem.status, problem.code)
// typed
`

const typed = `
// @ts-expect-error a hold needs its reason
await deals.hold(id, {})
// @ts-expect-error there is no such stage
await deals.move(id, { stage: 'won' })
// @ts-expect-error there is no such operation
await deals.explode(id)
const price: number = (await deals.changePrice(id, { newPrice: 1.5, reason: 'x' })).price
// @ts-expect-error there is no such field
deals.list({ 'prise.gte': price })
// @ts-expect-error there is no such stage to look for
deals.list({ where: { or: [{ stage: 'won' }, { 'customer.country': 'DE' }] } })
// @ts-expect-error names have no sum
deals.list({ group: 'stage', measure: 'sum.name' })
`
