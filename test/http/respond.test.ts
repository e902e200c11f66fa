import './respond/bounded-problems.test.ts'
import './respond/problems.test.ts'
import './respond/under-a-path.test.ts'
