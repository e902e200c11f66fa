import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { layoutOf } from '../../src/imports/columns/layout.ts'
import { rowReader } from '../../src/imports/columns/row-reader.ts'
import { isThingName } from '../../src/imports/columns/thing-name.ts'
import { answered, examine } from '../../src/imports/read/examine.ts'
import { readWaves } from '../../src/imports/read/read-waves.ts'
import { rowFile } from '../../src/imports/read/row-file.ts'
import { memoryFile } from '../support/inputs/memory-file.ts'
import { peopleFiles } from '../support/inputs/people-files.ts'
import { customer, deal, task } from '../support/schema.ts'

const resources = { deals: deal, customers: customer, tasks: task }

suite('a file is read as people have it', () => {
  for (const { tool, name, of, content, asks = [], answers = {}, rows, rejected = [] } of peopleFiles) {
    test(`of ${tool}`, async () => {
      const resource = resources[of]
      const file = memoryFile(content, name)
      const { matching, asked } = await examine(file, resource)
      assert.deepEqual(
        asked.map(({ column, about }) => [column, about]),
        asks,
      )
      const columns = answered(matching.columns, asked, answers)
      const layout = { ...layoutOf(resource), oneOf: [] }
      const reading = { ...matching, columns, atOnce: 100 }
      const found: unknown[] = []
      const wrong: unknown[] = []
      for await (const wave of readWaves(rowFile(file, matching), reading, rowReader(layout))) {
        found.push(...wave.rows.map(({ values }) => values))
        wrong.push(...wave.rejected.map(({ line, faults }) => [line, faults[0]?.code]))
      }
      assert.deepEqual(wrong, rejected)
      assert.equal(found.length, rows.length)
      for (const [at, expected] of rows.entries()) {
        const values = found[at] as Record<string, unknown>
        const shown = Object.entries(values).map(([field, value]) => [
          field,
          isThingName(value) ? `{${value.thingName}}` : value,
        ])
        assert.partialDeepStrictEqual(Object.fromEntries(shown), expected)
      }
    })
  }
})
