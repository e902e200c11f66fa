import '../support/database/on-postgres.ts'
import '../events/deliveries.test.ts'
import '../http/resources/subscriptions.test.ts'
import '../events/two-instances.test.ts'
