import '../support/database/on-postgres.ts'
import '../http/forms/form-matrix.test.ts'
