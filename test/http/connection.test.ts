import { room } from '../support/rooms/room.ts'

room(import.meta, ['./connection/pipelining.test.ts', './connection/protocol.test.ts'])
