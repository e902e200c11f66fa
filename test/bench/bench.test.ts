import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { customerColumns } from '../../bench/ceilings/bare-customers.ts'
import { workloadNamed } from '../../bench/workloads.ts'
import { columnOfField } from '../../src/store/rows/things.ts'
import { customer } from '../support/schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'dealdesk-bench-'))
after(() => rmSync(folder, { recursive: true, force: true }))

interface Result {
  readonly customers: number
  readonly written: readonly {
    readonly store: string
    readonly workload: string
    readonly server: string
    readonly bytes: number
  }[]
  readonly results: readonly {
    readonly name: string
    readonly missing: readonly unknown[]
    readonly measures: readonly ({ readonly server: string; readonly failures: number } & Readonly<
      Record<'perSecond' | 'p50' | 'p99' | 'cpu' | 'peak' | 'bytes', number>
    >)[]
  }[]
}

test('the ceiling reads every column of a customer that the service shows', () => {
  assert.deepEqual(
    customerColumns,
    customer.names.map((name) => columnOfField(customer, name)),
  )
})

/** Five servers are started and loaded for it: only `npm run test:long -- bench` names any. */
const workloads = process.env.BENCH_WORKLOADS?.split(',') ?? []

if (workloads.length > 0)
  test('the benchmark measures the service beside its ceilings', async () => {
    const json = join(folder, 'result.json')
    const svg = join(folder, 'chart.svg')
    const small = ['--customers', '500', '--deals', '200', '--rounds', '1', '--seconds', '0.1', '--startups', '0']
    const files = ['--data', folder, '--json', json, '--svg', svg]
    const { stdout } = await promisify(execFile)(process.execPath, [
      'bench/main.ts',
      '--only',
      workloads.join(),
      ...small,
      ...files,
    ])
    const { customers, results, written } = JSON.parse(readFileSync(json, 'utf8')) as Result

    assert.equal(customers, 500)
    assert.deepEqual(
      results.map(({ name }) => name),
      workloads,
    )
    for (const { name, measures, missing } of results) {
      assert.deepEqual(missing, [], name)
      assert.deepEqual(
        measures.map(({ server }) => server),
        ['service', ...workloadNamed(name).ceilings],
      )
      for (const { server, failures, perSecond, p50, p99, peak, bytes } of measures) {
        assert.equal(failures, 0, `${name} ${server}`)
        assert.ok(perSecond > 0 && p50 > 0 && p99 >= p50 && peak > 0, `${name} ${server}`)
        assert.ok(
          server === 'static' || (bytes > 1000 && bytes < 3000),
          `${name} ${server}: a deal with its links, not ${bytes} bytes`,
        )
      }
    }
    for (const name of workloads) {
      assert.match(stdout, new RegExp(`^${name} .+ +service .*× bare, .*× express`, 'm'))
      assert.match(readFileSync(svg, 'utf8'), new RegExp(`^<svg [^>]*>[\\s\\S]*${name}[\\s\\S]*</svg>\n$`))
    }
    for (const store of ['SQLite', 'PostgreSQL']) {
      const [service, ...ceilings] = written.filter((each) => each.store === store)
      assert.equal(service?.server, 'service')
      assert.ok(ceilings.length > 0, store)
      // A deal and its event are more than a thousand bytes.
      for (const { server, bytes } of [service, ...ceilings])
        assert.ok(bytes > 1000 && bytes < 200_000, `${server} ${bytes}`)
    }
  })
