import { room } from './support/rooms/room.ts'

room(import.meta, [
  './cli/credentials.test.ts',
  './cli/demo.test.ts',
  './cli/doctor.test.ts',
  './cli/export.test.ts',
  './cli/file-modes.test.ts',
  './cli/import-event.test.ts',
  './cli/import-files.test.ts',
  './cli/import-rows.test.ts',
  './cli/receivers.test.ts',
  './cli/restore.test.ts',
  './cli/usage.test.ts',
])
