import './openapi/documented-requests.test.ts'
import './openapi/openapi.test.ts'
import './reference/reference.test.ts'
