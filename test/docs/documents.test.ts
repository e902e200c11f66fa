import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { blocksOf, stepsOf } from '../support/docs/blocks.ts'
import { runDocument } from '../support/docs/run-document.ts'
import { runService } from '../support/service/running-service.ts'

const root = join(import.meta.dirname, '../..')
const documents = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()]

async function run(markdown: string): Promise<readonly string[]> {
  // Many a document only tells, or shows what is not run here.
  if (blocksOf(markdown).every(({ notRun }) => notRun !== undefined))
    return runDocument(markdown, 'http://nowhere.invalid')
  const service = await runService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  try {
    return await runDocument(markdown, service.url)
  } finally {
    await service.close()
  }
}

suite('a reader who does what it says sees what is shown:', { concurrency: 2 }, () => {
  for (const document of documents) {
    test(document, async () => {
      assert.deepEqual(await run(readFileSync(join(root, document), 'utf8')), [])
    })
  }
})

test('every program of the documents compiles, each by itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-docs-'))
  try {
    for (const document of documents) {
      const programs = blocksOf(readFileSync(join(root, document), 'utf8')).filter(({ language }) => language === 'ts')
      for (const { text, line } of programs) {
        writeFileSync(join(folder, `${document.replaceAll('/', '-')}-line-${line}.mts`), text)
      }
    }
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: { 'dealdesk/client': [join(root, 'src/client.ts')] },
        typeRoots: [join(root, 'node_modules/@types')],
        incremental: false,
        tsBuildInfoFile: null,
      },
      include: ['*.mts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout } = await promisify(execFile)(tsc, ['--noEmit', '-p', folder]).catch(
      (cause: { readonly stdout: string }) => cause,
    )
    assert.equal(stdout, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a reader can type everything as it stands: no id is one that only another service has', () => {
  for (const document of documents) {
    const blocks = blocksOf(readFileSync(join(root, document), 'utf8')).filter(({ language }) => language === 'console')
    for (const { command } of blocks.flatMap(({ text }) => stepsOf(text))) {
      assert.doesNotMatch(command, /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/, document)
    }
  }
})

test('a document that shows what is not so is noticed', async () => {
  const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`
  const wrong = await run(
    [
      block('console', '$ curl -s localhost:8080/health/live\n{"status":"bad"}'),
      block('console', '$ curl -s localhost:8080/health/live\n{"status":"ok"}'),
      block('console', '$ nonsense --now'),
      block('ts', "console.log('one')"),
      block('text', 'two'),
      block('yaml', 'a: 1'),
      `<!-- not run: too hard -->\n${block('console', '$ true')}`,
    ].join('\n'),
  )
  assert.deepEqual(
    wrong.map((each) => each.slice(0, 8)),
    ['line 28:', 'line 23:', 'line 1: ', 'line 11:', 'line 15:'],
  )
})
