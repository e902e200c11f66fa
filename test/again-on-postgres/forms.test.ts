import '../support/database/on-postgres.ts'
import { room } from '../support/rooms/room.ts'

room(import.meta, ['../http/forms/form-matrix.test.ts'])
