import { test as anyTest } from 'node:test'

// A file that imports this is run on SQLite with its folder, and by `test/on-postgres` again where a run draws it.

/** Of a run on PostgreSQL, only what the store can make differ. */
const isAgain = process.env.TEST_AGAIN === 'true'

/** A test whose outcome depends on what the store does. `import { testOnEachStore as test }` marks those of a whole file. */
export const testOnEachStore: typeof anyTest = anyTest

/** Any other test beside such ones: it runs once. */
export const test: typeof anyTest = isAgain ? ((async () => {}) as unknown as typeof anyTest) : anyTest
