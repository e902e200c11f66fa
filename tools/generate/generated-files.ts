import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withDeclared, withFormNames, withTables } from './client-tables.ts'
import { errorsPage } from './errors-page.ts'

const root = join(import.meta.dirname, '../..')

interface GeneratedFile {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** The files that follow from declarations, in whole or in part: as they are and as they should be. */
export const generatedFiles = (): readonly GeneratedFile[] => [
  generated('src/client.ts', (client) => formatted(withTables(client), 'src/client.ts')),
  generated('src/client/documents.ts', (file) => formatted(withFormNames(file), 'src/client/documents.ts')),
  generated('src/client/declared.ts', (file) => formatted(withDeclared(file), 'src/client/declared.ts')),
  generated('docs/errors.md', errorsPage),
]

function generated(file: string, make: (before: string) => string): GeneratedFile {
  const path = join(root, file)
  const before = readFileSync(path, 'utf8')
  return { path, before, after: make(before) }
}

function formatted(text: string, file: string): string {
  const biome = join(root, 'node_modules/.bin/biome')
  return execFileSync(biome, ['format', `--stdin-file-path=${file}`], { cwd: root, input: text, encoding: 'utf8' })
}
