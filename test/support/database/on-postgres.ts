// Imported first by a test file, it makes the tests that are imported behind it run on PostgreSQL.

process.env.TEST_STORE = 'postgres'
// On SQLite there are more of them, and `npm run test:long -- postgres` has as many here.
process.env.HOSTILE_REQUESTS ??= '200'
