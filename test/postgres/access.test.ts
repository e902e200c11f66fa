import '../on-postgres.ts'
import '../access/access.test.ts'
import '../access/open-and-closed.test.ts'
