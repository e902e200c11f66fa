import '../on-postgres.ts'
import '../http/form-matrix.test.ts'
