import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.ts'
import { type ServerName, startServer } from './server.ts'
import { measureStartUps } from './start-up.ts'
import { startUpTable, textTable, whole } from './table.ts'

/** Files that a process has loaded, by the thread and folder. */
type Loaded = ReadonlyMap<string, { readonly modules: number; readonly bytes: number }>

/** Until all that follows a start on its own has been loaded. */
const ALL_LOADED = 2000

/** What a start on an empty database loads and costs, beside that of another checkout if one is named. */
export async function runStartUp({ options, machine, scratch, tell, print, save }: Bench): Promise<void> {
  const names: readonly ServerName[] = options.beside === undefined ? ['service'] : ['service', 'beside']
  const startOf = (name: ServerName) => ({
    database: resolve(join(scratch, `${name}.db`)),
    ...(name === 'beside' && { checkout: options.beside }),
  })
  const loaded = new Map<ServerName, Loaded>()
  for (const name of names) {
    tell(`what the start of the ${name === 'service' ? name : 'other'} loads …`)
    loaded.set(name, await loadedBy(name, startOf(name), resolve(join(scratch, `${name}.txt`))))
  }
  tell('what it costs …')
  const starts = await measureStartUps(names, options.startups, (name) => startServer(name, startOf(name)))
  print(loadedTable(names.flatMap((name) => loaded.get(name) ?? [])))
  print(`\n${startUpTable(starts)}`)
  const modules = Object.fromEntries([...loaded].map(([name, of]) => [name, Object.fromEntries(of)]))
  save(options.json, JSON.stringify({ machine, starts, modules }, null, 2))
}

async function loadedBy(name: ServerName, start: Parameters<typeof startServer>[1], list: string): Promise<Loaded> {
  const preload = new URL('./report-loaded.ts', import.meta.url).href
  const server = await startServer(name, {
    ...start,
    options: ['--import', preload],
    environment: { LOADED_MODULES: list },
  })
  await setTimeout(ALL_LOADED)
  await server.stop()
  return byFolder(readFileSync(list, 'utf8').trimEnd().split('\n'), resolve(start.checkout ?? ''))
}

function byFolder(lines: readonly string[], checkout: string): Loaded {
  const threads = new Map<string, string>()
  const found = new Map<string, { modules: number; bytes: number }>()
  for (const line of lines) {
    const [thread = '', url = ''] = line.split(' ')
    const path = fileURLToPath(url)
    const place = path.slice(checkout.length + 1)
    // A thread is known by the file that it begins with.
    if (!threads.has(thread)) threads.set(thread, thread === '0' ? 'main' : place)
    const folder = thread === '0' ? place.split('/').slice(0, 2).join('/') : (threads.get(thread) ?? '')
    const { modules, bytes } = found.get(folder) ?? { modules: 0, bytes: 0 }
    found.set(folder, { modules: modules + 1, bytes: bytes + statSync(path).size })
  }
  return found
}

function loadedTable(sides: readonly Loaded[]): string {
  const folders = [...new Set(sides.flatMap((side) => [...side.keys()]))]
  const sum = (side: Loaded): { modules: number; bytes: number } =>
    [...side.values()].reduce(
      (all, { modules, bytes }) => ({ modules: all.modules + modules, bytes: all.bytes + bytes }),
      { modules: 0, bytes: 0 },
    )
  const cells = (of: { modules: number; bytes: number } | undefined): readonly string[] =>
    of === undefined ? ['', ''] : [whole(of.modules), whole(of.bytes / 1000)]
  const heads = sides.flatMap((_, at) => (at === 0 ? ['modules', 'kB'] : ['beside', 'kB']))
  const sizeOf = (folder: string): number => Math.max(...sides.map((side) => side.get(folder)?.bytes ?? 0))
  return textTable(
    [
      ['folder, or first file of a thread', ...heads],
      ...folders
        .toSorted((a, b) => sizeOf(b) - sizeOf(a))
        .map((folder) => [folder, ...sides.flatMap((side) => cells(side.get(folder)))]),
      ['all', ...sides.flatMap((side) => cells(sum(side)))],
    ],
    1,
  )
}
