import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { view } from '../../model/nouns/view/view.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { placeNames } from '../../queries/settings.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { newCommandId } from '../forms/command-id.ts'
import { framedForm } from '../forms/framed-form.ts'
import type { SavedViews, ShownView } from './saved-views.ts'
import { currentView } from './tabs.ts'

export interface ViewForms {
  readonly collection: string
  /** The path of the list. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** The query to save, if it is not that of the address. */
  readonly query?: string
  readonly saved: SavedViews
  readonly addresses: Addresses
}

/** Saves the shown list as a view, or changes the shown view. */
export function viewForms(forms: ViewForms): Markup | undefined {
  const { saved, parameters } = forms
  if (!saved.maySave) return undefined
  const current = currentView(saved, parameters)
  return current?.isOwn ? changeForms(current, forms) : creation(forms)
}

function creation({ collection, path, parameters, addresses, ...forms }: ViewForms): Markup {
  const kept = parameters.filter(({ name }) => !placeNames.has(name))
  const query = forms.query ?? kept.map(({ raw }) => raw).join('&')
  const form: DocumentForm = {
    title: say('Save as a view'),
    action: addresses.base + view.path,
    method: 'post',
    submit: say('Save'),
    fields: [nameField(''), sharedField(false)],
    hidden: { collection, query, _command: newCommandId(), _return: withQuery(path, kept) },
  }
  const about = say('A view keeps the filters, the order and the columns of this list as a tab.')
  return dropped(say('Save as a view'), [html`<p class="note">${about}</p>\n`, framedForm(form, 'save-view')])
}

function changeForms(
  { id, name, query, whole = query, shared, revision }: ShownView,
  { collection, path, parameters, addresses }: ViewForms,
): Markup {
  const own = addresses.thing(view, id)
  const change: DocumentForm = {
    title: say('Change this view'),
    action: `${own}/changes`,
    method: 'post',
    submit: say('Save'),
    fields: [nameField(name), sharedField(shared)],
    hidden: {
      collection,
      query: whole,
      _revision: String(revision),
      _command: newCommandId(),
      _return: withQuery(
        path,
        parameters.filter((each) => !placeNames.has(each.name)),
      ),
    },
  }
  const removal: DocumentForm = {
    title: say('Delete this view'),
    action: `${own}/deletions`,
    method: 'post',
    submit: say('Delete this view'),
    fields: [],
    hidden: { _revision: String(revision), _command: newCommandId(), _return: path },
  }
  const confirm = addresses.confirmation(view, id, 'delete')
  const forms = [framedForm(change, 'change-view'), framedForm(removal, 'delete-view', { confirm })]
  return dropped(say('Change this view'), forms)
}

const dropped = (title: Text, content: Hole): Markup =>
  html`<details class="drop"><summary class="button plain" data-icon="view">${title}</summary>
<div class="drop-panel">${content}</div></details>
`

const nameField = (value: string): FormField => ({
  name: 'name',
  label: say('Name of the view'),
  schema: { type: 'string', maxLength: 200 },
  required: true,
  value,
})

const sharedField = (value: boolean): FormField => ({
  name: 'shared',
  label: say('Shared with everybody'),
  schema: { type: 'boolean' },
  required: true,
  value: String(value),
})
