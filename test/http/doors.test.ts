import './doors/door-matrix.test.ts'
import './doors/doors.test.ts'
import './doors/jsonapi.test.ts'
import './doors/rpc.test.ts'
