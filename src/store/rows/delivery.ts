import { orNull, quotedOrNull, type RowDocument, rowDocument } from '../sql/row-document.ts'

/** A try as it is kept beside the last one, from the columns of the last one. */
export const tryDocument: RowDocument = rowDocument`{"at":${quotedOrNull('last_try_at')},"responseStatus":${orNull('response_status')},"duration":${orNull('duration')},"answer":${orNull('answer')},"error":${quotedOrNull('error')}}`

/** The deal that a delivery's event is about; null where it is about something else. */
export const deliveredDeal = `CASE WHEN type LIKE 'deal.%' THEN subject END`

/** An error is a word of ours that needs no escaping; an answer is kept as JSON. `sequence` is the event's place. */
export const deliveryDocument = (sequence: string): RowDocument =>
  rowDocument`{"number":${'number'},"event":"${sequence}","type":"${'type'}","subject":"${'subject'}","deal":${quotedOrNull(deliveredDeal)},"status":"${'status'}","attempts":${'attempts'},"lastTryAt":${quotedOrNull('last_try_at')},"responseStatus":${orNull('response_status')},"duration":${orNull('duration')},"answer":${orNull('answer')},"error":${quotedOrNull('error')},"nextTryAt":${quotedOrNull('next_try_at')},"createdAt":"${'created_at'}"}`
