import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, shrinkwrap } from './manifest.ts'

const root = join(import.meta.dirname, '../..')
if (existsSync(backup)) renameSync(backup, join(root, 'package.json'))
rmSync(join(root, 'dist'), { recursive: true, force: true })
rmSync(shrinkwrap, { force: true })
