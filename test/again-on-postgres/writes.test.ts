import '../support/database/on-postgres.ts'
import { room } from '../support/rooms/room.ts'

room(import.meta, [
  '../http/forms/attribute-update.test.ts',
  '../http/forms/commands.test.ts',
  '../http/resources/batches.test.ts',
  '../http/resources/command-stream.test.ts',
  '../http/resources/concurrency.test.ts',
  '../http/resources/creation.test.ts',
  '../http/resources/customer-operations.test.ts',
  '../http/request/dry-run.test.ts',
  '../http/resources/imports.test.ts',
  '../http/resources/money-and-time.test.ts',
  '../http/resources/calendar.test.ts',
  '../http/resources/rates.test.ts',
  '../http/resources/views.test.ts',
  '../http/resources/tasks.test.ts',
  '../http/resources/undo.test.ts',
  '../http/request/order-of-checks.test.ts',
  '../http/request/preconditions.test.ts',
])
