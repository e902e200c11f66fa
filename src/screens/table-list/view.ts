import type { ShownList } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { pager } from '../../representations/html/table.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { type EmptyList, emptyList, nextStep } from '../filters/filter-bar.ts'
import { foldedForm } from '../forms/framed-form.ts'
import { type PageHead, pageHead } from '../parts/page-head.ts'
import { type DataTable, table } from '../parts/table.ts'

/** A list of which only the columns are known, whose rows are neither chosen nor changed in it. */
interface TableList<Row>
  extends PageHead,
    Omit<DataTable<Row>, 'id' | 'none'>,
    Pick<EmptyList, 'none' | 'address' | 'next'> {
  readonly caption: Text
  readonly list: Pick<ShownList, 'parameters' | 'links' | 'hasMore'>
  /** The form for a new one, and the text of the button that opens it; undefined for callers who may not create one. */
  readonly creation?: { readonly form: DocumentForm; readonly text: Text; readonly more?: Markup } | undefined
  readonly filters?: Markup | false
}

/** Its head, its rows or why there are none, and the links to its other pages. */
export function tableList<Row>({ list, creation, filters, none, address, ...page }: TableList<Row>): Markup {
  const { parameters, links, hasMore } = list
  const form = creation && foldedForm(creation.form, creation.text, creation.more)
  const beside: Hole = [page.beside, form]
  const caption = [page.caption, hasMore && [', ', say('more follow')]]
  // A browser opens the form that a link leads to.
  const next = page.next ?? (creation && nextStep('#new-form', creation.text))
  const nothing = { none, noMatch: say('Nothing matches.'), all: say('Show all'), address, parameters, next }
  const shown = page.rows.length === 0 ? emptyList(nothing) : table({ ...page, id: 'list-caption', caption })
  return html`${pageHead({ ...page, beside })}${filters}${shown}${pager(links)}`
}
