import '../support/database/on-postgres.ts'
import { room } from '../support/rooms/room.ts'

room(import.meta, ['../events/feed.test.ts', '../events/live-stream.test.ts'])
