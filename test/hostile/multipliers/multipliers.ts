import { batches } from './batches.ts'
import { doors } from './doors.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { headersAndForms } from './headers-and-forms.ts'
import { jsonValues } from './json-values.ts'
import { multipart } from './multipart.ts'
import type { Multiplier } from './multiplier.ts'
import { queries } from './queries.ts'

/** For everything that is read. */
export const multipliers: readonly Multiplier[] = [
  ...jsonValues,
  ...batches,
  ...multipart,
  ...queries,
  ...graphql,
  ...doors,
  ...headersAndForms,
  ...files,
]
