import './doors/door-matrix.test.ts'
import './doors/doors.test.ts'
