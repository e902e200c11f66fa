import assert from 'node:assert/strict'
import { relative } from 'node:path'
import { test } from 'node:test'
import { generatedFiles } from '../../tools/generate/generated-files.ts'

for (const { path, before, after } of generatedFiles()) {
  test(`${relative(process.cwd(), path)} is as the declarations have it; otherwise: npm run generate`, () => {
    assert.equal(before, after)
  })
}
