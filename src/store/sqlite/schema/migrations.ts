import { migrationsFor } from '../../migrations/migrations.ts'

export const migrations = migrationsFor('sqlite')
