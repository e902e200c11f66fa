import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { Command } from 'commander'
import { parseAllDocuments } from 'yaml'
import { commands } from '../../src/cli/commands.ts'
import { settingNames } from '../../src/config.ts'
import { runs } from '../../tools/long-tests/runs.ts'
import { publishedManifest } from '../../tools/package/manifest.ts'
import { schema } from '../support/schema.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const program = new Command()
for (const define of commands) define(program, () => async () => {}, schema)
const known = new Set(program.commands.map((command) => command.name()))
const settings = settingNames()
/** Names of other programs, beside our settings. */
const others = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', 'SQLITE_TMPDIR'])

const requireSettings = (names: readonly string[], file: string): void => {
  assert.ok(names.length > 0, file)
  for (const name of names) assert.ok(settings.has(name) || others.has(name), `${file}: ${name} is no setting`)
}
const requireCommands = (text: string, pattern: RegExp, file: string): void => {
  const named = [...text.matchAll(pattern)].map(([, name = '']) => name)
  assert.ok(named.length > 0, file)
  for (const name of named) assert.ok(known.has(name), `${file}: ${name} is no command`)
}

type Tree = { readonly [name: string]: unknown }
const documentsIn = (file: string): readonly Tree[] =>
  parseAllDocuments(read(file), { merge: true }).map((document) => {
    assert.deepEqual(document.errors, [], file)
    return document.toJS() as Tree
  })

/** Every value under a name, however deep. */
function* under(tree: unknown, name: string): Generator<unknown> {
  if (typeof tree !== 'object' || tree === null) return
  for (const [key, value] of Object.entries(tree)) {
    if (key === name) yield value
    yield* under(value, name)
  }
}

suite('what operators start from', () => {
  test('the Dockerfile copies what there is, and nothing else reaches the build', () => {
    const dockerfile = read('Dockerfile')
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
    assert.ok(copied.length > 5)
    for (const name of copied) assert.ok(existsSync(join(root, name)), name)
    // What is packed, and what packing takes: npm adds README and LICENSE by itself.
    const { files } = publishedManifest({}) as { readonly files: readonly string[] }
    const made = ['dist', 'npm-shrinkwrap.json']
    for (const file of files.filter((each) => !made.includes(each) && !each.startsWith('!'))) {
      assert.ok(copied.includes(file), `the Dockerfile does not copy ${file}`)
    }
    const allowed = read('.dockerignore').match(/(?<=^!).*$/gm) ?? []
    assert.deepEqual(allowed.toSorted(), copied.toSorted())
    const environment = /^ENV ([\s\S]*?[^\\])\n/m.exec(dockerfile)?.[1] ?? ''
    requireSettings(environment.match(/\b[A-Z_]+(?==)/g) ?? [], 'Dockerfile')
    requireCommands(dockerfile, /^CMD \["(\w+)"\]$/gm, 'Dockerfile')
    assert.match(dockerfile, /^USER node$/m)
    assert.doesNotMatch(dockerfile, /HEALTHCHECK[\s\S]*curl/)
    const [major = 0] = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, version]) => Number(version))
    assert.ok(major >= 24)
  })

  test('compose.yaml names our settings and files that there are', () => {
    const [compose] = documentsIn('compose.yaml')
    const services = compose?.services as { readonly [name: string]: Tree }
    const desks = Object.values(services).filter(({ image }) => String(image).startsWith('dealdesk:'))
    assert.ok(desks.length >= 2)
    for (const desk of desks) {
      requireSettings(Object.keys(desk.environment as Tree), 'compose.yaml')
      assert.deepEqual([desk.read_only, desk.cap_drop], [true, ['ALL']])
      // Compose otherwise keeps an image of this name, of whichever commit it is.
      assert.deepEqual([desk.build, desk.pull_policy], ['.', 'build'])
    }
    const mounted = [...read('compose.yaml').matchAll(/- (\.\/[^:]+):/g)].map(([, path = '']) => path)
    assert.ok(mounted.length > 4)
    for (const path of mounted) assert.ok(existsSync(join(root, path)), path)
    requireCommands(read('compose.yaml'), /start\.js (\w+)/g, 'compose.yaml')
    const targets = [...under(documentsIn('deploy/monitoring/prometheus.yaml')[0], 'targets')].flat()
    assert.deepEqual(
      targets.map((each) => String(each).split(':')[0]).toSorted(),
      Object.keys(services)
        .filter((name) => /^desk-\d$|^alertmanager$/.test(name))
        .toSorted(),
    )
    for (const port of [...under(services, 'ports')].flat()) {
      assert.match(
        String(port),
        /^(127\.0\.0\.1|\$\{DESK_BIND:-127\.0\.0\.1\}):/,
        'others come in only where somebody says so',
      )
    }
  })

  test('an alert reaches a receiver, and every image has a version', () => {
    const [manager] = documentsIn('deploy/monitoring/alertmanager.yaml')
    const receivers = [...under(manager?.receivers, 'name')]
    for (const receiver of under(manager, 'receiver')) assert.ok(receivers.includes(receiver))
    const told = new Set([...under(documentsIn('deploy/monitoring/alerts.yaml'), 'severity')])
    assert.deepEqual([...told].toSorted(), ['page', 'ticket'])
    const images = [
      ...under(documentsIn('compose.yaml'), 'image'),
      ...under(documentsIn('deploy/kubernetes/dealdesk.yaml'), 'image'),
      ...[...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    ]
    for (const image of images) assert.match(String(image), /:v?\d+\.\d+(\.\d+)?(-alpine|-dev)?$/)
  })

  test('the manifests of Kubernetes are whole, and name our settings and commands', () => {
    const file = 'deploy/kubernetes/dealdesk.yaml'
    const documents = documentsIn(file)
    for (const { apiVersion, kind, metadata } of documents) {
      assert.ok(apiVersion && kind && (metadata as Tree).name, JSON.stringify(metadata))
    }
    const configured = documents.find(({ kind }) => kind === 'ConfigMap')?.data as Tree
    requireSettings(Object.keys(configured), file)
    requireCommands(read(file), /start\.js (\w+)/g, file)
    const args = [...under(documents, 'args')].flat()
    assert.deepEqual(
      args.filter((each) => !known.has(String(each))),
      [],
    )
    for (const context of under(documents, 'securityContext')) {
      const { runAsNonRoot, readOnlyRootFilesystem } = context as Tree
      assert.ok(runAsNonRoot === true || readOnlyRootFilesystem === true)
    }
    // Time for a migration, for proxies to hear of the end, and bounds for whatever runs.
    const [startup] = [...under(documents, 'startupProbe')] as { periodSeconds: number; failureThreshold: number }[]
    assert.ok(startup && startup.periodSeconds * startup.failureThreshold >= 3600)
    assert.equal([...under(documents, 'preStop')].length, 1)
    assert.equal([...under(documents, 'resources')].length, [...under(documents, 'containers')].length)
    const probes = [...under(documents, 'httpGet')].map((probe) => (probe as Tree).path)
    assert.deepEqual([...new Set(probes)].toSorted(), ['/health/live', '/health/ready'])
  })

  test('a key that is made for Prometheus reaches neither the repository, the image nor the package', () => {
    const [, made = ''] = / > (deploy\/\S+)$/m.exec(read('compose.yaml')) ?? []
    const mounted = [...under(documentsIn('deploy/monitoring/prometheus.yaml')[0], 'credentials_file')]
    assert.deepEqual(mounted, [made.replace('deploy/monitoring', '/etc/dealdesk')])
    assert.ok(read('.gitignore').split('\n').includes(`/${made}`))
    assert.ok(read('.dockerignore').split('\n').includes(made))
    const { files } = publishedManifest({}) as { readonly files: readonly string[] }
    assert.ok(files.includes(`!${made}`))
  })

  test('CI refuses a subject of a commit that is too long or of another form', () => {
    assert.match(read('.github/workflows/ci.yml'), /node tools\/commits\/main\.ts < subjects/)
    const check = (...subjects: readonly string[]) => {
      const input = subjects.map((subject) => `${subject}\n`).join('')
      const tool = join(root, 'tools/commits/main.ts')
      return spawnSync(process.execPath, [tool], { input, encoding: 'utf8' })
    }
    const fine = ['fix(cli): a thing', 'docs: another', `add(store): ${'ü'.repeat(60)}`, 'test(http, doors): both']
    assert.deepEqual([check(...fine).status, check(...fine).stderr, check().status], [0, '', 0])
    const wrong = [
      `add(store): ${'x'.repeat(61)}`,
      'feat: a thing',
      'fix a thing',
      'fix:',
      'Merge the branch',
      'fixup! fix: it',
    ]
    const { status, stderr } = check(...fine, ...wrong)
    assert.equal(status, 1)
    assert.deepEqual(
      stderr.split('\n').filter((line) => line !== '' && !line.startsWith(' ')),
      wrong,
    )
  })

  test('workflows take actions by their commit, and the nightly one runs whatever is long', () => {
    const workflows = globSync('.github/workflows/*.yml', { cwd: root })
    assert.equal(workflows.length, 3)
    for (const file of workflows) {
      for (const used of under(documentsIn(file), 'uses')) assert.match(String(used), /^[\w/-]+@[\da-f]{40}$/, file)
    }
    const [nightly] = [...under(documentsIn('.github/workflows/nightly.yml'), 'run')]
    assert.deepEqual(nightly, Object.keys(runs))
  })

  test('every other YAML can be read', () => {
    for (const file of globSync('deploy/**/*.yaml', { cwd: root })) assert.ok(documentsIn(file).length > 0, file)
  })

  test('the units of systemd name our settings and commands', () => {
    const units = globSync('deploy/systemd/*.service', { cwd: root })
    assert.equal(units.length, 2)
    for (const file of units) {
      const unit = read(file)
      const environment = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line = '']) => line).join(' ')
      requireSettings(environment.match(/\b[A-Z_]+(?==)/g) ?? [], file)
      requireCommands(unit, /\.bin\/dealdesk (\w+)/g, file)
      for (const line of unit.split('\n')) assert.match(line, /^(#.*|\[\w+\]|[A-Z]\w+=.*|)$/, file)
    }
  })

  test('the service is started again for as long as its database is late', () => {
    assert.match(read('deploy/systemd/dealdesk.service'), /^StartLimitIntervalSec=0$/m)
  })

  // `npm run test:proxies` tries them.
  test('the proxies pass on who calls, bodies and streams as they come, and a 503 as the answer that it is', () => {
    const nginx = read('deploy/proxy/nginx.conf')
    for (const needed of [
      /listen 443 ssl http2;/,
      /ssl_certificate /,
      /X-Forwarded-For \$remote_addr/,
      /proxy_set_header Request-Id \$request_id/,
      /log_format[^;]*\$request_id/,
      /client_max_body_size 0;/,
      /proxy_request_buffering off/,
      /proxy_buffering off/,
      /proxy_next_upstream error timeout;/,
      /proxy_next_upstream off;/,
    ]) {
      assert.match(nginx, needed)
    }
    assert.doesNotMatch(nginx, /http_50\d/)
    assert.equal(nginx.split('{').length, nginx.split('}').length)
    const caddy = read('deploy/proxy/Caddyfile')
    for (const needed of [/flush_interval -1/, /fail_duration \d+s/, /header_up Request-Id /, /^\tlog \{/m]) {
      assert.match(caddy, needed)
    }
    assert.doesNotMatch(caddy, /max_size/)
  })
})
