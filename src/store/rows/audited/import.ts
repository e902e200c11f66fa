import type { SqlDialect } from '../../sql/dialect.ts'
import { quotedOrNull, type RowDocument, rowDocument } from '../../sql/row-document.ts'

const NOTHING_FOUND =
  '"create":null,"badCells":null,"defaults":{},"sheet":null,"headings":null,"columns":[],"asked":[],"values":[],"faults":[],"looksKnown":0,"creates":0'

/** An import as its view lists it. A stage and a fault are words of ours and need no escaping. */
export const importDocument = ({ quoted }: SqlDialect): RowDocument =>
  rowDocument`{"id":"${'id'}","resource":"${'resource'}","name":${quoted('name')},"size":${'size'},"stage":"${'stage'}","isRunning":${`CASE WHEN is_running THEN 'true' ELSE 'false' END`},"inserted":${'inserted'},"updated":${'updated'},"unchanged":${'unchanged'},"rejected":${'rejected'},"createdAt":"${'created_at'}","owner":${quoted('owner')},"fault":${quotedOrNull('fault')},${`coalesce(found, '${NOTHING_FOUND}')`}}`
