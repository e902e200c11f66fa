import { anybody } from '../languages/reader.ts'
import { say } from '../languages/say.ts'
import type { Document } from './document.ts'
import { formMarkup } from './html/form.ts'
import { layout } from './html/layout.ts'
import { saidTitle } from './html/phrase.ts'
import { tableMarkup } from './html/table.ts'
import { definitionsMarkup, linksMarkup, valueMarkup } from './html/value.ts'
import { type Markup, html as markup } from './markup/markup.ts'
import type { WritingContext } from './markup/writing-context.ts'
import { type Data, isDataObject, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/** A page for people, which works without script and inline styles. */
export const html: Representation<string> = {
  name: 'html',
  mediaTypes: ['text/html'],
  contentType: 'text/html; charset=utf-8',
  problemType: 'text/html',
  schema: { name: 'Html', of: { type: 'string', description: 'A page for people.' } },
  carries: () => true,
  write: (document, context) => wholePage(document, context).for(context.reader),
  parts: (document, context) => wholePage(document, context).pieces(context.reader),
}

const wholePage = (document: Document, context: WritingContext): Markup =>
  layout(saidTitle(document), document.screen?.(context) ?? derivedPage(document), context)

/** The page of a document that has no screen. */
function derivedPage(document: Document): Markup {
  const forms = (document.forms?.() ?? []).map((form, index) => formMarkup(form, `form-${index + 1}`))
  const page = markup`<h1>${saidTitle(document)}</h1>
${bodyMarkup(document)}
${forms.length > 0 && markup`<section aria-labelledby="forms">\n<h2 id="forms">${say('What you can do')}</h2>\n${forms}</section>\n`}`
  return document.inEnglish ? markup`<div lang="en">${page.readBy(anybody)}</div>` : page
}

function bodyMarkup(document: Document): Markup {
  if (document.kind === 'page' || document.kind === 'list') return tableMarkup(document)
  const data = readDocument(document.json)
  return isDataObject(data) ? resourceMarkup(data) : valueMarkup(data)
}

function resourceMarkup(data: { readonly [name: string]: Data }): Markup {
  const { links } = data
  if (!isDataObject(links)) return definitionsMarkup(data)
  return markup`${definitionsMarkup(data, linksOnly)}
<section aria-labelledby="links"><h2 id="links">${say('Links')}</h2>${linksMarkup(links)}</section>`
}

const linksOnly: ReadonlySet<string> = new Set(['links'])
