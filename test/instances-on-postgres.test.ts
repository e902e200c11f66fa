import './store/postgres/connect/outage.test.ts'
import './store/postgres/feed/hot-deal.test.ts'
import './store/postgres/write/two-instances.test.ts'
