import { orNull, quotedOrNull, type RowDocument, rowDocument } from '../../sql/row-document.ts'

/** An earlier attempt, from the columns of the last one. */
export const tryDocument: RowDocument = rowDocument`{"at":${quotedOrNull('last_try_at')},"responseStatus":${orNull('response_status')},"duration":${orNull('duration')},"answer":${orNull('answer')},"error":${quotedOrNull('error')}}`

/** The deal of a delivery's event; null if it is about something else. */
export const deliveredDeal = `CASE WHEN type LIKE 'deal.%' THEN subject END`

/**
 * An error is one of our words and needs no escaping; an answer is stored as JSON. `sequence` is the event's position.
 */
export const deliveryDocument = (sequence: string): RowDocument =>
  rowDocument`{"number":${'number'},"event":"${sequence}","type":"${'type'}","subject":"${'subject'}","deal":${quotedOrNull(deliveredDeal)},"status":"${'status'}","attempts":${'attempts'},"lastTryAt":${quotedOrNull('last_try_at')},"responseStatus":${orNull('response_status')},"duration":${orNull('duration')},"answer":${orNull('answer')},"error":${quotedOrNull('error')},"nextTryAt":${quotedOrNull('next_try_at')},"createdAt":"${'created_at'}"}`
