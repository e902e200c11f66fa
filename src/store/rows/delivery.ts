import { orNull, quotedOrNull, type RowDocument, rowDocument } from '../sql/row-document.ts'

/** An error is a word of ours that needs no escaping; an answer is kept as JSON. `sequence` is the event's place. */
export const deliveryDocument = (sequence: string): RowDocument =>
  rowDocument`{"number":${'number'},"event":"${sequence}","type":"${'type'}","subject":"${'subject'}","status":"${'status'}","attempts":${'attempts'},"lastTryAt":${quotedOrNull('last_try_at')},"responseStatus":${orNull('response_status')},"duration":${orNull('duration')},"answer":${orNull('answer')},"error":${quotedOrNull('error')},"nextTryAt":${quotedOrNull('next_try_at')},"createdAt":"${'created_at'}"}`
