import '../../support/database/on-postgres.ts'
import '../../access/access.test.ts'
import '../../http/gate/open-and-closed.test.ts'
