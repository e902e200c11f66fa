import { copyFileSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/service/service-process.ts'
import { vatNumber } from './vat-number.ts'

const root = join(import.meta.dirname, '../..')

/** One file, and one entry in the list of its kind. */
interface Addition {
  readonly file: string
  readonly entry: string
  readonly list: string
  /** How the list begins. */
  readonly begins: string
}

const additions: readonly Addition[] = [
  { file: 'errand.ts', entry: 'errands', list: 'src/model/schema/nouns.ts', begins: 'const nouns = [' },
  {
    file: 'device.ts',
    entry: 'devices',
    list: 'src/model/schema/nouns.ts',
    begins: 'const nouns = [',
  },
  {
    file: 'remind.ts',
    entry: 'remind',
    list: 'src/model/nouns/deal/operations.ts',
    begins: 'const dealOperations = [',
  },
  {
    file: 'sealed.ts',
    entry: 'sealed',
    list: 'src/model/intent/caller.ts',
    begins: 'const rights: readonly Right[] = [',
  },
  {
    file: 'open-errands.ts',
    entry: 'openErrands',
    list: 'src/store/transactions/facts/facts.ts',
    begins: 'const facts = [',
  },
  { file: 'iban.ts', entry: 'iban', list: 'src/model/source/added-kinds.ts', begins: 'const declared = [' },
  { file: 'please.ts', entry: 'please', list: 'src/http/forms/forms.ts', begins: 'const listed = [' },
  {
    file: 'colons.ts',
    entry: 'colons',
    list: 'src/queries/dialects/dialects.ts',
    begins: 'dialects: readonly Dialect[] = [',
  },
  {
    file: 'outline.ts',
    entry: 'outline',
    list: 'src/representations/representations.ts',
    begins: 'representations: readonly Representation[] = [',
  },
  {
    file: 'glossary.ts',
    entry: 'glossary',
    list: 'src/http/describe/printers.ts',
    begins: 'printers: readonly Printer[] = [',
  },
  { file: 'telegram.ts', entry: 'telegram', list: 'src/doors/doors.ts', begins: 'doors: readonly Door[] = [' },
  {
    file: 'errands-by-urgency.ts',
    entry: 'errandsByUrgency',
    list: 'src/model/schema/named-queries.ts',
    begins: 'const declaredQueries = [',
  },
]

const parts = ['src', 'tools', 'test/support', 'docs/errors.md', 'package.json', 'biome.json', '.gitignore']

/** The project with one more of everything. Nothing of `src` is edited but the lists, a field of customers, and faults. */
export function grownCopy(): { readonly path: string; remove(): void } {
  const copy = temporaryFolder('grown')
  for (const each of parts) {
    cpSync(join(root, each), join(copy.path, each), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy.path, 'node_modules'))
  // The compiler begins with what it knows of the project, and leaves the project's own as it is.
  const known = join(copy.path, 'node_modules/.cache/types.tsbuildinfo')
  const tsBuildInfoFile = 'node_modules/.cache/grown.tsbuildinfo'
  if (existsSync(known)) copyFileSync(known, join(copy.path, tsBuildInfoFile))
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { tsBuildInfoFile: join(copy.path, tsBuildInfoFile) },
    include: ['src', 'test/additions'],
  }
  writeFileSync(join(copy.path, 'tsconfig.json'), JSON.stringify(config))
  for (const { file } of additions) {
    cpSync(join(import.meta.dirname, file), join(copy.path, 'test/additions', file))
  }
  cpSync(join(import.meta.dirname, 'migrations'), join(copy.path, 'src/store/migrations'), { recursive: true })
  cpSync(join(import.meta.dirname, 'it.json'), join(copy.path, 'src/languages/texts/it.json'))
  for (const addition of additions) addEntry(copy.path, addition)
  addField(join(copy.path, 'src/model/nouns/customer/customer.ts'))
  addFault(copy.path, 'errand-finished', 'the errand is finished')
  addFault(copy.path, 'errands-open', 'the deal has open errands')
  return copy
}

function addEntry(copy: string, { file, entry, list, begins }: Addition): void {
  const path = join(copy, list)
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf(begins) + begins.length
  if (start < begins.length) throw new Error(`${list} has no ${begins}`)
  const [inside = ''] = /^(.*(?=\])|\n[\s\S]*?(?=^\]))/m.exec(text.slice(start)) ?? []
  const added = inside.startsWith('\n') ? `  ${entry},\n` : `, ${entry}`
  const end = start + inside.length
  const up = list.replace(/[^/]+$/, '').replace(/[^/]+\//g, '../')
  const imported = `import { ${entry} } from '${up}test/additions/${file}'\n`
  writeFileSync(path, imported + text.slice(0, end) + added + text.slice(end))
}

function addField(declaration: string): void {
  const text = readFileSync(declaration, 'utf8')
  const [before, after, ...more] = text.split(vatNumber.behind)
  if (after === undefined || more.length > 0) throw new Error('the declaration of customers has no place for the field')
  writeFileSync(declaration, `${before}${vatNumber.behind}${vatNumber.field}${after}`)
}

/** Its line in the table, and its sentence. */
function addFault(copy: string, code: string, sentence: string): void {
  const table = join(copy, 'src/values/faults/fault-codes.ts')
  const begins = 'export const faultCodes = {\n'
  writeFileSync(table, readFileSync(table, 'utf8').replace(begins, `${begins}  '${code}': [],\n`))
  const english = join(copy, 'src/languages/texts/en.json')
  const texts = JSON.parse(readFileSync(english, 'utf8')) as { readonly [key: string]: unknown }
  writeFileSync(english, JSON.stringify({ ...texts, [`fault.${code}`]: sentence }))
}
