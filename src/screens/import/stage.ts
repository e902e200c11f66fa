import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { rowsOf } from '../../model/nouns/imports/import-counts.ts'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'

/** An import as its document shows it. */
export type ShownImport = Omit<Upload, 'endsAt' | 'work' | 'matching' | 'found' | 'upto' | 'position'>

/** The name of a file may be in any language. */
export const uploadName = ({ name }: Pick<Upload, 'name'>): Markup | Text =>
  name === '' ? say('Pasted rows') : html`<span lang="">${name}</span>`

/** The stage of an import. */
export function stageMark(shown: ShownImport): Markup {
  const mark = (kind: string, text: Text): Markup => html`<span class="mark ${kind}">${text}</span>`
  switch (shown.stage) {
    case 'checking':
      return mark('soon', say('Checking'))
    case 'asking':
      return mark('open', say('Needs an answer'))
    case 'ready':
      return rowsOf(shown) === 0 ? mark('off', say('Nothing to import')) : mark('open', say('Ready to import'))
    case 'importing':
      return mark('soon', say('Importing'))
    case 'done':
      return shown.rejected > 0 ? mark('soon', say('Imported, with rejected rows')) : mark('done', say('Imported'))
    case 'undone':
      return mark('off', say('Undone|import'))
    case 'failed':
      return mark('off', say('Stopped'))
  }
}
