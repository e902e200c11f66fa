import { orNull, quotedOrNull, type RowDocument, rowDocument } from '../sql/row-document.ts'

/** A period that a deal was in one stage and status. */
export const periodDocument: RowDocument = rowDocument`{"id":"${'id'}","dealId":"${'deal_id'}","revision":${'revision'},"stage":"${'stage'}","status":"${'status'}","since":"${'since'}","until":${quotedOrNull('until')},"seconds":${orNull('seconds')}}`
