// The suite's setup for a run on PostgreSQL.

process.env.TEST_STORE = 'postgres'

export { globalSetup, globalTeardown } from './global-setup.ts'
