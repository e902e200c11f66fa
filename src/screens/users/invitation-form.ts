import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { plainMembers } from '../../model/nouns/user/user.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { isRole, roles } from '../../values/role.ts'
import { newFormSeed } from '../forms/command-id.ts'
import { roleTexts } from '../parts/person.ts'

/** Without a password: the answer has a link with which they set one. */
export const invitationForm = (addresses: Addresses, made: Schema['roles']): DocumentForm => ({
  title: say('Invite somebody'),
  action: addresses.users,
  method: 'post',
  submit: say('Invite'),
  fields: [
    {
      name: 'name',
      label: say('Name, to sign in with'),
      schema: plainMembers.toCreate.name.kind.schema,
      required: true,
    },
    { name: 'fullName', label: say('Full name'), schema: plainMembers.toCreate.fullName.kind.schema, required: false },
    { name: 'email', label: say('Email'), schema: { type: 'string', format: 'email' }, required: false },
    {
      name: 'role',
      label: say('Role'),
      schema: { type: 'string' },
      choices: [
        ...roles.map((role) => ({ value: role, text: roleTexts[role] })),
        ...made.filter(({ name }) => !isRole(name)).map(({ name, title }) => ({ value: name, text: title })),
      ],
      required: true,
    },
  ],
  hidden: { _seed: newFormSeed() },
})
