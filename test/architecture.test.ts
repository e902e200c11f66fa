import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join, normalize } from 'node:path'
import { suite, test } from 'node:test'
import { doors } from '../src/doors/doors.ts'
import { forms } from '../src/http/forms/forms.ts'
import { dealOperations } from '../src/model/nouns/deal/operations.ts'
import { projectionsOf } from '../src/model/schema/resources.ts'
import { dialects } from '../src/queries/dialects/dialects.ts'
import { representations } from '../src/representations/representations.ts'
import { migrationsFor } from '../src/store/migrations/migrations.ts'
import { filesOf } from './support/rooms/room.ts'
import { deal, schema } from './support/schema.ts'

const { operations } = deal

const src = join(import.meta.dirname, '../src')
const files: readonly string[] = globSync('**/*.ts', { cwd: src }).toSorted()

const textOf = (file: string): string => readFileSync(join(src, file), 'utf8')

interface Import {
  readonly from: string
  /** A file of ours, or the name of a package. */
  readonly to: string
  readonly isOurs: boolean
  /** Only types, which are erased; or a module that is loaded when the code comes to it, not with its importer. */
  readonly isErased: boolean
  readonly isLazy: boolean
}

const importText = /(?:^|\n)\s*(?:import|export)\b( type\b)?[^'"]*?\bfrom\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/g

const imports: readonly Import[] = files.flatMap((from) =>
  [...readFileSync(join(src, from), 'utf8').matchAll(importText)].map(([, type, named, loaded]) => {
    const to = named ?? loaded ?? ''
    const isOurs = to.startsWith('.')
    const kind = { isOurs, isErased: type !== undefined, isLazy: loaded !== undefined }
    return { from, to: isOurs ? normalize(join(dirname(from), to)) : to, ...kind }
  }),
)

const importsOf: ReadonlyMap<string, readonly Import[]> = Map.groupBy(imports, ({ from }) => from)

/** The part of the house that a file is in: its folder, or its own name at the top. */
const partOf = (file: string): string => file.split('/')[0]?.replace(/\.ts$/, '') ?? ''

/** What each part may know of the others: imports point one way. */
const mayImport: { readonly [part: string]: readonly string[] } = {
  values: [],
  work: [],
  config: ['values'],
  model: ['values'],
  queries: ['values', 'model'],
  languages: ['values'],
  representations: ['values', 'languages'],
  store: ['values', 'work', 'config', 'model', 'queries', 'monitoring'],
  screens: [
    ...['values', 'config', 'languages', 'model', 'queries', 'store', 'representations', 'imports', 'access'],
    ...['events', 'monitoring', 'http'],
  ],
  access: ['values', 'config', 'model', 'store'],
  events: ['values', 'model', 'queries', 'store', 'work'],
  imports: ['values', 'config', 'languages', 'model', 'queries', 'representations', 'store'],
  monitoring: ['values', 'config'],
  http: [
    ...['values', 'config', 'languages', 'model', 'queries', 'representations', 'store', 'access', 'events'],
    ...['imports', 'monitoring'],
  ],
  doors: ['values', 'config', 'languages', 'model', 'queries', 'representations', 'store', 'access', 'events', 'http'],
  service: [
    ...['values', 'config', 'model', 'representations', 'store', 'access', 'events', 'imports', 'monitoring', 'http'],
    ...['doors', 'screens', 'work'],
  ],
  demo: ['values', 'model'],
  cli: [
    ...['values', 'config', 'languages', 'model', 'queries', 'representations', 'store', 'http', 'access', 'events'],
    ...['monitoring', 'imports', 'demo', 'client', 'doors', 'service'],
  ],
  // Types only: nothing of the service is there at run time.
  client: ['values', 'model', 'queries', 'http'],
  main: ['cli'],
}

/** The rooms of http in the order of a request, from what all of them speak of to what puts them together. */
const stages = [
  ...['contract', 'negotiate', 'connection', 'gate', 'request', 'ask', 'write', 'respond'],
  ...['forms', 'describe', 'endpoints', 'server'],
]

/** Knows resources, their fields and projections by their declarations; a migration is about one table. */
const generic = /^(store\/(?!(sqlite|postgres)\/schema\/)|queries\/|work\/|events\/|http\/|doors\/|service\/|imports\/)/

/** What names a noun all the same, and why. */
const knowNouns: { readonly [file: string]: string } = {
  'doors/jsonapi/jsonapi.ts': 'documents give an example',
  'doors/mcp/methods.ts': 'the protocol knows tasks',
  'doors/rpc/rpc.ts': 'documents give an example',
  'http/contract/addresses.ts': 'every address is written in it',
  'http/contract/headers.ts': 'documents give an example of a file name',
  'http/describe/openapi/document.ts': 'documents tell about the service',
  'http/describe/openapi/parameter-components.ts': 'reports have a parameter',
  'http/describe/openapi/parameter-objects.ts': 'reports have a parameter',
  'http/describe/openapi/schemas/examples.ts': 'documents give examples of a deal',
  'http/describe/openapi/schemas/problem-schema.ts': 'a problem names the pipeline of a stage',
  'http/describe/openapi/schemas/schema.ts': 'documents give a name to stages and statuses',
  'http/describe/openapi/schemas/answer-schemas.ts': 'documents describe the board',
  'http/endpoints/collections/event-endpoints.ts': 'customers declare the event of an import',
  'http/endpoints/service-endpoints.ts': 'the versions are those of deals',
  'http/endpoints/users/calendar-endpoints.ts': 'a calendar has the tasks of a user',
  'http/endpoints/users/person-endpoints.ts': 'a person has deals',
  'http/gate/admission.ts': 'the rate is that of requests',
  'store/postgres/connect/new-session.ts': 'statements are sent in a pipeline',
  'store/postgres/operate/transfer.ts': 'statements are sent in a pipeline',
  'store/rows/command.ts': 'the first release stored refusals with a deal',
  'store/rows/audited/delivery.ts': 'a delivery tells its deal',
  'store/rows/event.ts': 'customers declare the event of an import',
  'store/select/columns.ts': 'customers declare the event of an import',
  'store/sqlite/operate/backup.ts': 'the rate is that of pages',
  'store/transactions/trim.ts': 'customers declare the event of an import',
}

/** The room of a folder that a file is in: the folder below, or the file itself; undefined outside. */
const roomIn = (folder: string, file: string): string | undefined =>
  file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined

/** Decide without looking at the world: what they need to know is an argument. */
const pure = new Set(['values', 'model', 'queries', 'representations', 'screens', 'demo'])
const isPure = (file: string): boolean => pure.has(partOf(file)) && !looksAtTheWorld.test(file)

/** A screen reads in `read.ts` and answers in its endpoints; what all of them load is read once, a form gets an id. */
const looksAtTheWorld =
  /^screens\/[\w-]+\/(read(-[\w-]+)?\.ts$|([\w-]+-)?endpoints?(\.ts$|\/))|^screens\/(shell\/(assets|script)|reference\/samples|forms\/command-id)\.ts$/

const picture = readFileSync(join(src, '../ARCHITECTURE.md'), 'utf8')
const arrows = [...picture.matchAll(/^ +(\w+) (?:-->|-\. types only \.->) (\w+)$/gm)]

const arrowsFrom = (part: string): readonly string[] =>
  arrows.filter(([, from]) => from === part).map(([, , to]) => to ?? '')

const reachedFrom = (part: string): ReadonlySet<string> =>
  new Set(arrowsFrom(part).flatMap((other) => [other, ...reachedFrom(other)]))

suite('the house', () => {
  test('has a rule for each of its parts', () => {
    assert.deepEqual([...new Set(files.map(partOf))].toSorted(), Object.keys(mayImport).toSorted())
  })

  test('is imported in one way', () => {
    const wrong = imports.filter(({ from, to, isOurs }) => {
      const [own, other] = [partOf(from), partOf(to)]
      return isOurs && own !== other && !mayImport[own]?.includes(other)
    })
    assert.deepEqual(wrong, [])
  })

  test('shows what the port gives, whichever store is behind it', () => {
    const around = imports.filter(
      ({ from, to }) => partOf(from) === 'screens' && partOf(to) === 'store' && !to.startsWith('store/port/'),
    )
    assert.deepEqual(around, [])
  })

  test('knows its reader by an argument, never by what a module keeps', () => {
    const writes = (file: string): boolean => ['languages', 'representations', 'screens'].includes(partOf(file))
    const keepers = files.filter((file) => writes(file) && /^(?:export )?(?:let|var)\b/m.test(textOf(file)))
    assert.deepEqual(keepers, [])
    assert.deepEqual(
      imports.filter(({ from, to }) => writes(from) && to === 'node:async_hooks'),
      [],
    )
  })

  test('is read at desks alone, and what a caller may see is said in one place', () => {
    const membersOf = (name: string, file: string): readonly string[] => {
      const [, body = ''] =
        new RegExp(`interface ${name} [^{]*\\{\\n(.*?)\\n\\}`, 's').exec(readFileSync(join(src, file), 'utf8')) ?? []
      return [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?<(:]/gm)].map(([, member = '']) => member)
    }
    const reads = membersOf('Desk', 'store/port/desk.ts')
    const ofStore = membersOf('Store', 'store/port/store.ts')
    for (const read of ['find', 'page', 'stream', 'trimmed']) assert.ok(reads.includes(read), read)
    assert.ok(ofStore.includes('as'))
    assert.deepEqual(
      ofStore.filter((member) => reads.includes(member)),
      [],
    )
    const importers = (file: string) => imports.filter(({ to }) => to === file).map(({ from }) => from)
    assert.deepEqual(
      importers('store/desks.ts').filter((from) => partOf(from) !== 'store'),
      [],
    )
    assert.deepEqual(importers('queries/visibility.ts'), ['store/desks.ts'])
  })

  test('performs writes in one place, and imports the rows of their files in another', () => {
    const performing = files.filter((file) => /\.perform\(|\bperformAlone\(/.test(textOf(file)))
    assert.deepEqual(
      performing.filter((file) => partOf(file) !== 'store'),
      ['access/as-operator.ts', 'events/part-moves.ts', 'http/write/write.ts', 'imports/rows/perform-row.ts'],
    )
  })

  test('builds a schema where a process, a thread or a command starts, and none while it is loaded', () => {
    const nouns = imports.filter(({ to, isErased }) => to === 'model/schema/nouns.ts' && !isErased)
    assert.deepEqual(
      nouns.map(({ from }) => from),
      ['model/schema/build-schema.ts'],
    )
    const texts = files.map((file) => [file, readFileSync(join(src, file), 'utf8')] as const)
    const building = texts.filter(([, text]) => text.includes('buildSchema(')).map(([file]) => file)
    const starting = building.filter((file) => file !== 'model/schema/build-schema.ts')
    for (const file of starting) assert.match(file, /^(cli|store)\//)
    // Whatever follows from a schema can then be no constant of a module either.
    assert.deepEqual(
      texts.filter(([, text]) => buildsAtTop(text)).map(([file]) => file),
      [],
    )
    assert.ok(buildsAtTop("import { a } from 'b'\n\nexport const schema = buildSchema()\n"))
    assert.ok(buildsAtTop('const all = { ...buildSchema(source) }\n'))
    assert.ok(!buildsAtTop('const schemaOf = (source) => buildSchema(source)\n'))
  })

  test('names no noun where things of every resource are read, written and answered', () => {
    const { resources } = schema
    const named = [...resources, ...resources.flatMap(projectionsOf)].flatMap((each) =>
      'plural' in each
        ? [each.name, each.plural, ...each.references.map(({ field }) => field)]
        : [each.name, each.item, each.key, ...Object.keys(each.since ?? {})],
    )
    // Every intent has a target and every resource has fields: these words are no nouns there.
    const words = [...new Set(named)].filter((word) => !/^(target|fields?)$/.test(word)).join('|')
    const folders = resources.map(({ name }) => name).join('|')
    // A text that is such a name, a member with such a name, or what a folder of the model declares.
    const naming = new RegExp(
      `['"](${words})['".]|\\.(${words})\\b(?!\\()|^ *(readonly )?(${words}):|/model/nouns/(${folders})/`,
    )
    const found = files
      .filter((file) => generic.test(file))
      .filter((file) =>
        textOf(file)
          .split('\n')
          .some((line) => !/^ *(\*|\/[/*])/.test(line) && naming.test(line)),
      )
    assert.deepEqual(found, Object.keys(knowNouns).toSorted())
  })

  test('has no circle of files, types included', () => {
    const done = new Set<string>()
    const follow = (file: string, path: readonly string[]): void => {
      assert.ok(!path.includes(file), [...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file)) return
      for (const { to, isOurs } of importsOf.get(file) ?? []) if (isOurs) follow(to, [...path, file])
      done.add(file)
    }
    for (const file of files) follow(file, [])
  })

  test('has rooms in http that know those to their left', () => {
    const rooms = [...new Set(files.filter((file) => file.startsWith('http/')).map((file) => roomIn('http', file)))]
    assert.deepEqual(rooms.toSorted(), stages.toSorted())
    const wrong = imports.filter(({ from, to }) => {
      const [own, other] = [from, to].map((file) => stages.indexOf(roomIn('http', file) ?? ''))
      return other !== -1 && own !== -1 && Number(other) > Number(own)
    })
    assert.deepEqual(wrong, [])
  })

  for (const folder of [
    'http',
    'http/endpoints',
    'imports',
    'model',
    'queries',
    'representations',
    'store',
    'store/sqlite',
    'store/postgres',
    'store/transactions',
    'screens',
    'doors',
    'values',
  ]) {
    test(`has no circle of rooms in ${folder}`, () => {
      const known = new Map<string, Set<string>>()
      for (const { from, to } of imports) {
        const [own, other] = [roomIn(folder, from), roomIn(folder, to)]
        if (own === undefined || other === undefined || own === other) continue
        known.set(own, (known.get(own) ?? new Set()).add(other))
      }
      const done = new Set<string>()
      const follow = (room: string, path: readonly string[]): void => {
        assert.ok(!path.includes(room), [...path.slice(path.indexOf(room)), room].join(' → '))
        if (done.has(room)) return
        for (const other of known.get(room) ?? []) follow(other, [...path, room])
        done.add(room)
      }
      assert.ok(known.size > 0)
      for (const room of known.keys()) follow(room, [])
    })
  }

  test('is drawn in ARCHITECTURE.md as it is', () => {
    const drawn = Object.keys(mayImport).map((part) => [part, new Set(arrowsFrom(part))] as const)
    for (const [part, others] of drawn) {
      for (const other of others) assert.ok(mayImport[part]?.includes(other), `${part} must not import ${other}`)
      const reached = reachedFrom(part)
      for (const other of mayImport[part] ?? []) assert.ok(reached.has(other), `no way leads from ${part} to ${other}`)
    }
  })

  test('loads a door with its first request, and no other with it', () => {
    /** All that is ever loaded from a file on, apart from what doors load when they are opened. */
    const loadedFrom = (files: readonly string[], found = new Set<string>()): ReadonlySet<string> => {
      for (const file of files) {
        if (found.has(file)) continue
        found.add(file)
        const isDoor = doorFiles.has(file)
        const loaded = importsOf.get(file)?.filter(({ isErased, isLazy }) => !isErased && !(isDoor && isLazy)) ?? []
        loadedFrom(
          loaded.map(({ to }) => to),
          found,
        )
      }
      return found
    }
    const doorFiles = new Set(doors.map(({ name }) => `doors/${name}/${name}.ts`))
    const roomsIn = (loaded: ReadonlySet<string>): readonly string[] =>
      [...loaded].filter((file) => !doorFiles.has(file) && doors.some(({ name }) => file.startsWith(`doors/${name}/`)))
    const started = loadedFrom(['main.ts'])
    assert.deepEqual([doorFiles.difference(started), roomsIn(started)], [new Set(), []])
    assert.ok(![...started].some((file) => /^(graphql|@modelcontextprotocol)(\/|$)/.test(file)))
    for (const { name } of doors) {
      const opened = roomsIn(loadedFrom([`doors/${name}/room.ts`]))
      assert.ok(opened.length > 0)
      assert.deepEqual(
        opened.filter((file) => !file.startsWith(`doors/${name}/`)),
        [],
        name,
      )
    }
  })

  test('loads a screen when somebody asks for it, and at the start what answers those who may not see any', () => {
    const started = new Set<string>()
    const start = (file: string): void => {
      if (started.has(file)) return
      started.add(file)
      for (const { to, isErased, isLazy } of importsOf.get(file) ?? []) if (!isErased && !isLazy) start(to)
    }
    for (const file of ['service/create-service.ts', 'service/endpoints.ts', 'http/server/server.ts']) start(file)
    const shown = [...started].filter((file) => /^screens\/.*\b(read|view)\b[^/]*\.ts$/.test(file))
    assert.deepEqual(shown.toSorted(), [
      'screens/problem/view.ts',
      'screens/sign-in/read.ts',
      'screens/sign-in/view.ts',
    ])
  })

  test('imports no value of node:http, which would load the client behind fetch', () => {
    const importing = /\bimport (?!type )[^'"]*\bfrom 'node:http'/
    assert.deepEqual(
      files.filter((file) => importing.test(readFileSync(join(src, file), 'utf8'))),
      [],
    )
  })

  test('has no file that nothing imports', () => {
    const entries = /^(main|client)\.ts$/
    const started = imports.map(({ to }) => to)
    // A thread is started by its address.
    const threads = files.flatMap((from) =>
      [...readFileSync(join(src, from), 'utf8').matchAll(/new URL\('(\.[^']+\.ts)'/g)].map(([, to]) =>
        normalize(join(dirname(from), to ?? '')),
      ),
    )
    const known = new Set([...started, ...threads])
    assert.deepEqual(
      files.filter((file) => !known.has(file) && !entries.test(file)),
      [],
    )
  })

  test('knows one database engine from another in its drivers only', () => {
    const drivers = /^store\/(sqlite|postgres)\//
    const shared = files.filter((file) => file.startsWith('store/') && file !== 'store/open.ts' && !drivers.test(file))
    const known = imports.filter(({ from, to }) => shared.includes(from) && drivers.test(to))
    assert.deepEqual(known, [], 'shared code imports a driver')
    for (const file of shared) {
      assert.doesNotMatch(readFileSync(join(src, file), 'utf8'), /dialect(\.name)? [!=]==|'(sqlite|postgres)'/, file)
    }
  })

  test('decides without a clock, chance, the network or the disk', () => {
    const world =
      /\bnew Date\(\)|\bDate\.now\(|\bMath\.random\(|\brandom(UUID|Bytes|Fill\w*)\(|\bprocess\.|\bconsole\.|\bfetch\(/
    for (const file of files.filter(isPure)) {
      assert.doesNotMatch(readFileSync(join(src, file), 'utf8'), world, file)
    }
    // A hash and a compressed text are functions of their input, and so is a library that is loaded later.
    const functions = new Set(['node:crypto', 'node:module', 'node:zlib'])
    const outside = imports.filter(({ from, to }) => isPure(from) && to.startsWith('node:') && !functions.has(to))
    assert.deepEqual(outside, [])
  })

  test('has some dozen files beside each other at most, where they are not a list', () => {
    const beside = Map.groupBy(files, dirname)
    for (const [folder, each] of beside) {
      if (!lists.some((list) => list.folder === folder))
        assert.ok(each.length <= 15, `${folder} has ${each.length} files`)
    }
  })

  test('has no function of more than a hundred lines', () => {
    const long = files.filter((file) => functionsIn(textOf(file)).some(({ length }) => length > 100))
    assert.deepEqual(long, Object.keys(longFunctions).toSorted())
    const text = 'const a = (\n  b,\n) => {\n  if (b) {\n    c()\n  }\n}\nclass D {\n  #e(f) {\n    g(`\nh`)\n  }\n}\n'
    assert.deepEqual(functionsIn(text), [
      { line: 1, length: 7 },
      { line: 9, length: 4 },
    ])
  })

  test('has the same rooms in the folders of both drivers', () => {
    const rooms = (driver: string): readonly string[] => [
      ...new Set(files.filter((file) => file.startsWith(`store/${driver}/`)).map((file) => file.split('/')[2] ?? '')),
    ]
    assert.deepEqual(rooms('sqlite'), rooms('postgres'))
  })

  test('calls its files after what they are about', () => {
    for (const file of [...files, ...globSync('**/*.ts', { cwd: import.meta.dirname })]) {
      assert.match(basename(file), /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.ts$/)
      assert.doesNotMatch(basename(file), /^(utils?|helpers?|common|misc|shared|manager|types|index)\b/, file)
    }
  })
})

/** Files with a longer function, and why. */
const longFunctions: { readonly [file: string]: string } = {}

interface Measured {
  readonly line: number
  readonly length: number
}

/** By the formatter's indentation: a function ends with the bracket that closes its last opener at its own depth. */
function functionsIn(text: string): readonly Measured[] {
  const lines = stripTypeScriptTypes(text).split('\n')
  return lines.flatMap((first, at) => {
    if (!opens.test(first) || closes.test(first)) return []
    let head = ''
    let end = at
    do {
      const opener = lines[end] ?? ''
      head += opener.trim()
      const last = opens.exec(opener)?.[1] === undefined ? /\S/ : closes
      end = lines.findIndex((line, other) => other > end && last.test(line) && depthOf(line) <= depthOf(first))
    } while (/^\s*\)/.test(lines[end] ?? '') && opens.test(lines[end] ?? ''))
    if (!/=>|\bfunction\b|^(?:\w+ |\*)*#?\w+\(.*\) *\{$/.test(head) || /^(?:if|for|while|switch)\b/.test(head))
      return []
    return [{ line: at + 1, length: end - at + (closes.test(lines[end] ?? '') ? 1 : 0) }]
  })
}

/** A bracket, or an arrow or a template that goes on below. */
const opens = /(?:([{([])|=>|`)\s*$/
const closes = /^\s*[})\]]/
const depthOf = (line: string): number => line.search(/\S/)

interface List {
  readonly folder: string
  readonly elements: readonly object[]
}

const lists: readonly List[] = [
  { folder: 'model/nouns/deal/operations', elements: dealOperations },
  { folder: 'http/forms', elements: forms },
  { folder: 'queries/dialects', elements: dialects },
  { folder: 'representations', elements: representations },
]

/** Whether a statement of the module itself, and not of a function, builds a schema. */
const buildsAtTop = (text: string): boolean => /^(?!.*=>)(?:export )?(?:const|let) .*\bbuildSchema\(/m.test(text)

suite('a list', () => {
  for (const { folder, elements } of lists) {
    test(`of ${folder} has everything that is declared in its folder`, async () => {
      const [first, ...others] = elements.map((element) => Object.keys(element))
      const members = first?.filter((name) => others.every((names) => names.includes(name))) ?? []
      const declared: unknown[] = []
      for (const file of files.filter((each) => dirname(each) === folder)) {
        const exported: object = await import(join(src, file))
        declared.push(...Object.values(exported).filter((value) => isLike(value, members)))
      }
      const unlisted = declared.filter((element) => !elements.includes(element as object))
      assert.deepEqual(unlisted, [])
      assert.equal(new Set(declared).size, elements.length)
    })
  }

  test('of migrations is numbered without gaps, with at least one engine for each number', () => {
    const engines = { sqlite: migrationsFor('sqlite'), postgres: migrationsFor('postgres') }
    const names = new Set([...engines.sqlite, ...engines.postgres].map(({ name }) => name))
    const numbers = [...names].toSorted().map((name) => /^(\d{4})-[a-z0-9-]+$/.exec(name)?.[1])
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => String(at + 1).padStart(4, '0')),
    )
    const kept = globSync('*.sql', { cwd: join(src, 'store/migrations') })
    assert.equal(kept.length, engines.sqlite.length + engines.postgres.length)
  })

  test('of operations has one for each file', () => {
    assert.equal(files.filter((file) => dirname(file) === 'model/nouns/deal/operations').length, operations.length)
  })

  test('of operations has each word once, and none that means something else under a deal', () => {
    const words = operations.flatMap(({ name, words: { participles, noun } }) => [name, ...participles, noun])
    const under = [...words.filter((word) => word !== ''), 'commands', 'history', 'actions']
    assert.deepEqual(repeated(under), [])
    assert.deepEqual(repeated(operations.flatMap(({ name, words }) => [name, words.action])), [])
    assert.deepEqual(repeated(operations.map(({ words }) => words.event)), [])
  })

  test('runs every test file, once, with the nearest room above it', () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    const pattern = /"(test\/[^"]+)"/.exec(scripts.test)?.[1] ?? ''
    const started = globSync(pattern, { cwd: join(import.meta.dirname, '..') })
    const rooms = globSync('**/room.test.ts', { cwd: import.meta.dirname })
    assert.deepEqual(started.toSorted(), rooms.map((file) => join('test', file)).toSorted())
    const ran = rooms.flatMap((file) => filesOf(join(import.meta.dirname, dirname(file))))
    const all = globSync('**/*.test.ts', { cwd: import.meta.dirname, exclude: ['**/room.test.ts'] })
    assert.deepEqual(ran.toSorted(), all.map((file) => join(import.meta.dirname, file)).toSorted())
  })
})

const isLike = (value: unknown, members: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && members.every((name) => Object.hasOwn(value, name))

const repeated = (words: readonly string[]): readonly string[] => words.filter((word, at) => words.indexOf(word) !== at)
