// Imported first by a test file, it makes the tests that are imported behind it run on PostgreSQL.

process.env.TEST_STORE = 'postgres'
// The same on SQLite has the long runs.
process.env.HOSTILE_REQUESTS ??= '300'
