import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Upload } from '../../model/imports/upload.ts'
import { html, type Markup } from '../../representations/html/markup.ts'

/** The name of a file may be in any language. */
export const uploadName = ({ name }: Pick<Upload, 'name'>): Markup | Text =>
  name === '' ? say('Pasted rows') : html`<span lang="">${name}</span>`

/** The stage of an upload. */
export function stageMark({ stage, isRunning, rejected }: Upload): Markup {
  const mark = (kind: string, text: Text): Markup => html`<span class="mark ${kind}">${text}</span>`
  switch (stage) {
    case 'uploading':
    case 'matching':
      return mark('open', say('Columns to match'))
    case 'checking':
      return isRunning ? mark('soon', say('Checking')) : mark('off', say('Stopped'))
    case 'checked':
      return mark('open', say('Ready to import'))
    case 'importing':
      return isRunning ? mark('soon', say('Importing')) : mark('off', say('Stopped'))
    case 'done':
      return rejected > 0 ? mark('soon', say('Imported, with rejected rows')) : mark('done', say('Imported'))
  }
}
