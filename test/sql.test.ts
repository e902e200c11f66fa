import './store/sql/numbered-pages.test.ts'
import './store/sql/select-items.test.ts'
import './store/sql/select-plan.test.ts'
import './store/sql/select.test.ts'
