import { speakingTo } from '../languages/current-reader.ts'
import { anybody } from '../languages/reader.ts'
import { say } from '../languages/say.ts'
import type { Document } from './document.ts'
import { formMarkup } from './html/form.ts'
import { layout } from './html/layout.ts'
import { Markup, html as markup } from './html/markup.ts'
import { saidTitle } from './html/phrase.ts'
import { rowOf, tableMarkup, tableOf } from './html/table.ts'
import { definitionsMarkup, linksMarkup, valueMarkup } from './html/value.ts'
import { type Data, isDataObject, itemsApart, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/** A page for people, which works without script and inline styles. */
export const html: Representation<string> = {
  name: 'html',
  mediaTypes: ['text/html'],
  contentType: 'text/html; charset=utf-8',
  problemType: 'text/html',
  schema: { name: 'Html', of: { type: 'string', description: 'A page for people.' } },
  carries: () => true,
  write: (document, context) =>
    speakingTo(context.reader, () =>
      layout(saidTitle(document), document.page?.(context) ?? derivedPage(document), context),
    ),
  parts: function* (document, context) {
    const { frame, count, items } = itemsApart(document)
    const said = <T>(write: () => T): T => speakingTo(document.inEnglish ? anybody : context.reader, write)
    const { columns = [] } = document
    const around = { data: frame, columns, count, rows: Markup.of(ROWS) }
    const page = speakingTo(context.reader, () =>
      layout(
        saidTitle(document),
        inItsLanguage(document, () => derivedMarkup(document, tableMarkup(document, around))),
        context,
      ),
    )
    const [before = '', after = ''] = page.split(ROWS)
    yield before
    for (const item of items) if (isDataObject(item)) yield said(() => rowOf(item, columns, document.itemAddress))
    yield after
  },
}

/** Stands for the rows while the rest is written: no text has it, because it is no character of HTML. */
const ROWS = '\0'

const derivedPage = (document: Document): Markup =>
  inItsLanguage(document, () => derivedMarkup(document, bodyMarkup(document, readDocument(document.json))))

const inItsLanguage = ({ inEnglish }: Document, write: () => Markup): Markup =>
  inEnglish ? markup`<div lang="en">${speakingTo(anybody, write)}</div>` : write()

/** The page of a document that has no view. */
function derivedMarkup(document: Document, body: Markup): Markup {
  const forms = (document.forms?.() ?? []).map((form, index) => formMarkup(form, `form-${index + 1}`))
  return markup`<h1>${saidTitle(document)}</h1>
${body}
${forms.length > 0 && markup`<section class="forms" aria-labelledby="forms">\n<h2 id="forms">${say('What you can do')}</h2>\n${forms}</section>\n`}`
}

function bodyMarkup(document: Document, data: Data): Markup {
  switch (document.kind) {
    case 'page':
    case 'list':
      return tableMarkup(document, tableOf(document, data))
    case 'problem':
    case 'resource':
      return isDataObject(data) ? resourceMarkup(data) : valueMarkup(data)
  }
}

function resourceMarkup(data: { readonly [name: string]: Data }): Markup {
  const { links } = data
  if (!isDataObject(links)) return definitionsMarkup(data)
  return markup`${definitionsMarkup(data, linksOnly)}
<section class="links" aria-labelledby="links"><h2 id="links">${say('Links')}</h2>${linksMarkup(links)}</section>`
}

const linksOnly: ReadonlySet<string> = new Set(['links'])
