import { after } from 'node:test'
import { useBrowser } from './support/browser/launch-browser.ts'
import { room } from './support/rooms/room.ts'

// The files share it; each alone would start one.
const { close } = await useBrowser()
after(close)

room(import.meta, [
  './browser/board.test.ts',
  './browser/home.test.ts',
  './browser/lists.test.ts',
  './browser/pickers.test.ts',
  './browser/reports.test.ts',
  './browser/shell.test.ts',
  './browser/tasks.test.ts',
  './browser/undo.test.ts',
])
