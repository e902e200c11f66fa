import { upload } from '../../../model/imports/upload.ts'
import { fieldRows } from './managed.ts'

/** The rows of uploads. Whether one is running follows from its lease. */
export const uploadRows = fieldRows(upload.fields)
