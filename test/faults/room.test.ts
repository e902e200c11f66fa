import { isDrawn } from '../support/inputs/drawn.ts'
import { filesOf, runTogether } from '../support/rooms/room.ts'

// They start processes and end them in every way: a run takes every third file.
// `npm run test:long -- faults` takes all.
runTogether(filesOf(import.meta.dirname).filter((_, at) => isDrawn(at, 3)))
