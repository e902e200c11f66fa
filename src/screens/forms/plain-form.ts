import type { Text } from '../../languages/text.ts'
import type { DocumentForm } from '../../representations/document.ts'

/** A form that is one button. */
export const plainForm = (title: Text, action: string): DocumentForm => ({
  title,
  action,
  method: 'post',
  submit: title,
  fields: [],
  hidden: {},
})
