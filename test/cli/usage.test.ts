import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { tellFaults } from '../../src/cli/failure.ts'
import { customer } from '../support/schema.ts'
import { openDesk } from '../support/service/running-command.ts'

test('a fault names the field as a column does', () => {
  assert.equal(tellFaults([{ code: 'required', at: { pointer: '/own/branch' } }]), 'own.branch is required')
  assert.equal(tellFaults([{ code: 'required', at: { pointer: '/name' } }]), 'name is required')
})

suite('the command line', { concurrency: 2 }, () => {
  test('tells how it is used, as a whole and each command', async () => {
    await using desk = openDesk()
    const whole = await desk.runAlone(['--help'])
    assert.equal(whole.code, 0)
    const names = ['serve', 'import', 'export', 'backup', 'purge']
    for (const name of names) assert.match(whole.stdout, new RegExp(`^  ${name} `, 'm'))
    assert.match((await desk.run(['help', 'user', 'add'])).stdout, /^Usage: dealdesk user add /)
    for (const help of await Promise.all(names.map((name) => desk.run([name, '--help'])))) {
      assert.equal(help.code, 0)
      assert.match(help.stdout, /^Usage: dealdesk \w+/)
    }
  })

  test('tells every column that an import reads', async () => {
    await using desk = openDesk()
    const { stdout } = await desk.run(['import', '--help'])
    const columns = /^Columns .*: (.*)\.$/m.exec(stdout)?.[1]?.split(', ')
    assert.deepEqual(
      columns,
      customer.names.filter((name) => name !== 'updatedAt' && name !== 'revision'),
    )
  })

  test('tells its version', async () => {
    await using desk = openDesk()
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      readonly version: string
    }
    const told = await desk.runAlone(['--version'])
    assert.deepEqual([told.code, told.stdout], [0, `${version}\n`])
  })

  test('starts by itself, as npx starts it in a checkout', () => {
    const start = fileURLToPath(new URL('../../src/start.js', import.meta.url))
    const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` }
    const { status, stdout, stderr } = spawnSync(start, ['--help'], { env, encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^Usage: dealdesk /)
  })

  const wrong: readonly (readonly [args: readonly string[], said: RegExp])[] = [
    [['improt'], /^dealdesk: there is no command improt, did you mean import\?\n$/],
    [['serve', 'x'], /^dealdesk: too many arguments/],
    [['--dmeo'], /^dealdesk: unknown option '--dmeo'/],
    [['import', 'customers'], /^dealdesk: missing required argument 'file'/],
    [
      ['import', 'webhooks', 'x.csv'],
      /'webhooks' is invalid for argument 'what'. Allowed choices are customers, deals/,
    ],
    [
      ['import', 'deals', 'x.csv', '--delimiter', ';;'],
      /';;' is invalid. It must be one character up to U\+FFFF, or tab, and no quote/,
    ],
    [
      ['import', 'deals', 'x.csv', '--delimiter', '😀'],
      /'😀' is invalid. It must be one character up to U\+FFFF, or tab, and no quote/,
    ],
    [['export', 'customers', '--format', 'xml'], /'xml' is invalid.*Allowed choices are csv, ndjson/],
    [['user', 'add', 'ben', '--role', 'boss'], /'boss' is invalid. Allowed choices are reader, editor, admin/],
    [['user', 'role', 'ben', 'boss'], /'boss' is invalid.*Allowed choices are reader, editor, admin/],
    [['export', 'deal'], /'deal' is invalid for argument 'what'. Allowed choices are .*; did you mean deals\?\n$/],
    [['export', 'deals', '--format', 'ndjsn'], /Allowed choices are csv, ndjson.*; did you mean ndjson\?\n$/],
    [['import', 'task', 'x.csv'], /; did you mean tasks\?\n$/],
    [['import', 'deals', 'x.csv', '--dates', 'dym'], /; did you mean dmy\?\n$/],
    [['user', 'ad', 'ben'], /^dealdesk: unknown command 'ad'\n\(Did you mean add\?\)\n$/],
    [['help', 'improt'], /^dealdesk: there is no command improt, did you mean import\?\n$/],
    [['purge', '--dry'], /^dealdesk: unknown option '--dry'/],
  ]
  for (const [args, said] of wrong) {
    test(`refuses ${args.join(' ')} with exit code 2 and writes nothing`, async () => {
      await using desk = openDesk()
      const { code, stdout, stderr } = await (args.length === 1 ? desk.runAlone(args) : desk.run(args))
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, said)
      assert.throws(() => desk.rows('SELECT 1'))
    })
  }

  test('a bad setting stops every command with one line', async () => {
    await using desk = openDesk({ CURRENCY: 'EURO' })
    const { code, stderr } = await desk.runAlone(['purge'])
    assert.equal(code, 1)
    assert.match(stderr, /^dealdesk: CURRENCY=EURO is not usable: .*\n$/)
  })

  test('no command makes a database out of a misspelt name, unless that is asked for', async () => {
    await using desk = openDesk()
    const commands = [
      ['backup', 'b.db'],
      ['export', 'customers'],
      ['purge'],
      ['purge', '--dry-run'],
      ['migrate'],
      ['vacuum'],
      ['import', 'customers', desk.write('c.csv', 'name\nAna\n')],
      ['import', 'customers', desk.path('c.csv'), '--dry-run'],
      ['webhook', 'test', '00000000-0000-7000-8000-000000000000'],
      ['user', 'list'],
      ['user', 'add', 'ann', '--role', 'admin'],
      ['user', 'passwd', 'ann'],
      ['user', 'role', 'ann', 'admin'],
      ['user', 'disable', 'ann'],
      ['key', 'add', 'robot', '--role', 'reader'],
      ['key', 'remove', 'robot'],
    ]
    for (const { code, stderr } of await Promise.all(commands.map((args) => desk.run(args)))) {
      assert.equal(code, 1)
      assert.match(
        stderr,
        /^dealdesk: there is no database at .*dealdesk\.db; DATABASE_URL says where it is, and a start of the service creates it\n$/,
      )
    }
    assert.throws(() => desk.rows('SELECT 1'))
    const first = ['user', 'add', 'ann', '--role', 'admin', '--new-database']
    const { code, stderr } = await desk.runAlone(first, 'four long words together\n')
    assert.deepEqual([code, stderr], [0, `created a new database, ${desk.database}\nadded the user ann as admin\n`])
  })
})
