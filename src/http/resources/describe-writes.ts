import { concernOf } from '../../model/deal/concerns.ts'
import { DEALS, type Form, type FormRoute, type Reply } from '../forms/form.ts'
import type { Description, Given, Group, Taken } from '../openapi/description.ts'
import type { HeaderName } from '../openapi/headers.ts'

const validators: readonly HeaderName[] = ['ETag', 'Last-Modified']
const replayed: readonly HeaderName[] = ['Idempotent-Replayed', 'Dry-Run']
const asPreferred = 'Only the headers, as `Prefer` asks.'

/** What documents say of a write to a deal; where several forms share the address, they answer alike. */
export function describeWrite(form: Form, route: FormRoute): Description {
  const sentByPages = route.reads.includes('application/x-www-form-urlencoded')
  const takes = takenBy(form, route)
  return {
    group: groupOf(form, route),
    ...(route.operation && { operation: route.operation.name }),
    ...(formTitles[form.name] && { form: formTitles[form.name] }),
    ...(writtenAs[route.path] && route.method === 'POST' && { path: writtenAs[route.path] }),
    ...(takes !== undefined && { takes }),
    gives: [...gives[form.reply], ...(sentByPages ? [seeOther] : [])],
    refuses: route.operation?.on === 'nothing' ? ['invalid-body', 'idempotency-key-reused'] : refusals(form),
  }
}

const gives: Readonly<Record<Reply, readonly Given[]>> = {
  deal: [
    {
      status: 200,
      shows: 'deal',
      headers: [...validators, 'Content-Location', ...replayed],
      when: 'The deal after it, or as it would be after a dry run.',
    },
    {
      status: 204,
      headers: [...validators, 'Content-Location', 'Preference-Applied', ...replayed],
      when: `The deal is deleted. ${asPreferred}`,
    },
  ],
  created: [
    {
      status: 201,
      shows: 'deal',
      headers: [...validators, 'Location', 'Content-Location', 'Preference-Applied', ...replayed],
      when: 'The deal that was created; no body when `Prefer` asks for none.',
    },
    { status: 200, shows: 'deal-draft', headers: replayed, when: 'A dry run: the deal that would be created.' },
    { status: 204, headers: ['Preference-Applied', ...replayed], when: `A dry run. ${asPreferred}` },
  ],
  entry: [
    {
      status: 201,
      shows: 'entry',
      headers: [...validators, 'Location', 'Preference-Applied', ...replayed],
      when: 'The entry in the history; no body when `Prefer` asks for none.',
    },
    { status: 200, shows: 'entry-draft', headers: replayed, when: 'A dry run: the entry that would be made.' },
    { status: 204, headers: ['Preference-Applied', ...replayed], when: `A dry run. ${asPreferred}` },
  ],
  command: [
    {
      status: 201,
      shows: 'command',
      headers: [...validators, 'Preference-Applied'],
      when: 'The command, decided now; the address is its own.',
    },
    {
      status: 200,
      shows: 'command-or-draft',
      headers: [...validators, ...replayed],
      when: 'The command was decided before: its stored answer. Or a dry run.',
    },
    { status: 204, headers: [...validators, 'Preference-Applied', ...replayed], when: asPreferred },
  ],
  empty: [
    {
      status: 200,
      headers: ['Link', ...replayed],
      when: 'Done; there is no body. Only a dry run has one: the deal as it would be.',
    },
    { status: 204, headers: ['Link', 'Preference-Applied', ...replayed], when: asPreferred },
  ],
}

const seeOther: Given = {
  status: 303,
  headers: ['Location', ...replayed],
  when: 'Done from a page: the address to see next.',
}

/** Of forms that share their title with others. */
const formTitles: { readonly [F in Form['name']]?: string } = { participle: 'past participle', noun: 'a new entry' }

/** With a slash at the end, as everybody writes them. */
const writtenAs: { readonly [path: string]: string } = { [DEALS]: `${DEALS}/`, '/command/:name': '/command/:name/' }

function groupOf({ name }: Form, { operation }: FormRoute): Group {
  const concern = operation && concernOf(operation.name)
  if (name === 'deal-command' || name === 'command' || name === 'command-endpoint') return 'Commands'
  return name === 'resource' || concern === undefined ? 'Deals' : `Deals: ${concern}`
}

function takenBy({ name }: Form, { operation, reads }: FormRoute): Taken | undefined {
  if (reads.length === 0) return undefined
  if (operation !== undefined) return { operation }
  switch (name) {
    case 'single-update':
      return 'action-or-attributes'
    case 'attribute-update':
      return 'attributes'
    case 'deal-command':
      return 'action'
    case 'command':
      return 'command'
    case 'command-endpoint':
      return 'named-command'
    case 'verb':
    case 'participle':
    case 'noun':
    case 'resource':
      return undefined
  }
}

const refusals = ({ reply, name }: Form): NonNullable<Description['refuses']> => [
  'deal-not-found',
  'deal-deleted',
  'stale-revision',
  'revision-required',
  'invalid-body',
  'wrong-state',
  ...(reply === 'command' ? (['command-id-reused'] as const) : (['idempotency-key-reused'] as const)),
  ...(name === 'single-update' ? (['ambiguous-form'] as const) : []),
]
