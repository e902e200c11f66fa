import { upload } from '../../../model/nouns/imports/upload.ts'
import { fieldRows } from './field-rows.ts'

/** The rows of uploads. Whether one is running follows from its lease. */
export const uploadRows = fieldRows(upload.fields)
