import type { Description, Given } from '../openapi/description.ts'

const validators = ['ETag', 'Last-Modified'] as const
const asPreferred = 'Only the headers, as `Prefer` asks.'

/** What documents say of a customer that is read. */
export const readsCustomer: Description = {
  group: 'Customers',
  gives: [{ status: 200, shows: 'customer', headers: [...validators, 'Link'], when: 'The customer.' }],
  refuses: ['customer-not-found'],
}

const saved: readonly Given[] = [
  {
    status: 200,
    shows: 'customer',
    headers: [...validators, 'Content-Location', 'Dry-Run'],
    when: 'The customer after it, or as it would be after a dry run.',
  },
  { status: 204, headers: [...validators, 'Content-Location', 'Preference-Applied', 'Dry-Run'], when: asPreferred },
]

const gives: Readonly<Record<'creates' | 'replaces' | 'patches' | 'deletes', readonly Given[]>> = {
  creates: [
    {
      status: 201,
      shows: 'customer',
      headers: [...validators, 'Location', 'Content-Location', 'Preference-Applied'],
      when: 'The customer that was created; no body when `Prefer` asks for none.',
    },
    {
      status: 200,
      shows: 'customer-draft',
      headers: ['Dry-Run'],
      when: 'A dry run: the customer that would be created.',
    },
    { status: 204, headers: ['Preference-Applied', 'Dry-Run'], when: `A dry run. ${asPreferred}` },
  ],
  replaces: saved,
  patches: saved,
  deletes: [
    { status: 204, headers: ['Preference-Applied', 'Dry-Run'], when: 'It is deleted.' },
    { status: 200, shows: 'customer', headers: ['Dry-Run'], when: 'A dry run: the customer that would be deleted.' },
  ],
}

const seeOther: Given = { status: 303, headers: ['Location'], when: 'Done from a page: the address to see next.' }

export function describeCustomerWrite(does: keyof typeof gives, from?: 'from a page'): Description {
  const takes = {
    creates: 'customer',
    replaces: 'customer-replacement',
    patches: 'customer-patch',
    deletes: undefined,
  } as const
  const took = takes[does]
  const exists = ['customer-not-found', 'stale-revision', 'revision-required'] as const
  return {
    group: 'Customers',
    ...(took !== undefined && { takes: took }),
    gives: [...gives[does], ...(from !== undefined || does === 'creates' ? [seeOther] : [])],
    refuses: [
      ...(does === 'creates' ? [] : exists),
      'invalid-body',
      ...(does === 'deletes' ? (['customer-in-use'] as const) : []),
    ],
  }
}
