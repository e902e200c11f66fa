import { migrationsFor } from '../../migrations/migrations.ts'

/**
 * Texts compare by code point; tables that belong to a deal have the deal first in their key, so that they could be
 * distributed.
 */
export const migrations = migrationsFor('postgres')

/** Any number, the same in every release: writes share this lock, a step of a migration takes it exclusively. */
export const WRITES = 0x64656170
