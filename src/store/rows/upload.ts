import { upload } from '../../model/imports/upload.ts'
import { fieldRows } from './managed.ts'

/** An upload as it is stored. Whether it is running follows from its lease. */
export const uploadRows = fieldRows(upload.fields)
