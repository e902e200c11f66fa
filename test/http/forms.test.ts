import { room } from '../support/rooms/room.ts'

room(import.meta, [
  './forms/attribute-update.test.ts',
  './forms/commands.test.ts',
  './forms/custom-method.test.ts',
  './forms/every-refusal.test.ts',
  './forms/every-resource.test.ts',
  './forms/form-matrix.test.ts',
  './forms/html-forms.test.ts',
])
