import './doors/door-matrix.test.ts'
import './doors/doors.test.ts'
import './doors/odata.test.ts'
import './doors/rpc.test.ts'
