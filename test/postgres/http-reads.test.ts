import '../on-postgres.ts'
import '../http/collections.test.ts'
import '../http/customers.test.ts'
import '../http/generated-input.test.ts'
