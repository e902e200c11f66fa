import { room } from '../support/rooms/room.ts'

room(import.meta.dirname)
