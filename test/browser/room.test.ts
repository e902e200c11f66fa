import { after } from 'node:test'
import { useBrowser } from '../support/browser/launch-browser.ts'
import { room } from '../support/rooms/room.ts'

// The files share it; each alone would start one.
const { close } = await useBrowser()
after(close)

room(import.meta.dirname)
