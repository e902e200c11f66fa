import '../on-postgres.ts'
import '../webhooks/deliveries.test.ts'
import '../webhooks/subscriptions.test.ts'
import '../webhooks/two-instances.test.ts'
