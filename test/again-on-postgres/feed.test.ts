import '../support/database/on-postgres.ts'
import '../events/feed.test.ts'
import '../events/live-stream.test.ts'
