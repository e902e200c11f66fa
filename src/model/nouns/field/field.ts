import { nullable } from '../../../values/kinds/kind.ts'
import { boolean, ordinal, position } from '../../../values/kinds/number.ts'
import { choice, nameText, text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { title, titlesKind } from '../../../values/kinds/titles.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, kept, type ThingOf } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import type { AddedField } from '../../source/added-field.ts'
import { addedKinds } from '../../source/added-kinds.ts'
import { choiceParts, settledField } from './choices.ts'
import { optionsKind, repeatsKind, replacementsKind } from './kinds.ts'

/** The resources that can have fields of their own. */
export const extensible = ['deal', 'customer', 'task'] as const

/** The most fields of one resource that are not retired. */
export const MOST_FIELDS = 200

export const name = text({
  min: 1,
  max: 40,
  pattern: { regex: /^[a-z][A-Za-z0-9]{0,39}$/, fault: { code: 'malformed', with: { wants: 'field-name' } } },
})

/** A field that admins add to a resource. The schema is made of them. decisions/0059 */
export const field = defineResource({
  name: 'field',
  plural: 'fields',
  path: '/fields',
  fields: {
    id: assigned(uuid),
    title: given(title),
    /** The name of its resource. */
    on: given(choice(extensible)),
    name: given(name),
    titles: given(titlesKind, {}),
    kind: given(choice(addedKinds)),
    options: given(optionsKind, {}),
    required: given(boolean, false),
    unique: given(boolean, false),
    indexed: given(boolean, false),
    searched: given(boolean, false),
    help: given(nullable(text({ min: 1, max: 1000 })), null),
    position: given(position, 0),
    /** The heading under which pages show it. */
    group: given(nullable(nameText({ min: 1, max: 100 })), null),
    retiredAt: kept(nullable(instant), null),
    /** A purged one has no values any more: only its name stays. */
    state: kept(choice(['ready', 'building', 'failed', 'purged']), 'ready'),
    /** Values of several things, which keep it from being unique. */
    repeats: kept(nullable(repeatsKind), null),
    /** Choices that things had, and the ones that they are given instead; null when all have them. */
    replaceBy: kept(nullable(replacementsKind), null),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  indexed: ['id'],
  searched: ['name', 'title'],
  markings: ['retiredAt'],
  forms: ['resource', 'custom-method', 'attribute-update', 'command', 'command-endpoint'],
  put: 'anew',
  roles: { reads: 'reader', writes: 'admin' },
  shapes: {
    part: 'fields',
    made: (document) => document as unknown as AddedField,
    settled: (item) => settledField(item as AddedField),
  },
  parts: choiceParts,
  example: {
    id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a15',
    on: 'deal',
    name: 'renewalDate',
    title: 'Renewal',
    titles: { de: 'Verlängerung' },
    kind: 'date',
    group: 'Contract',
  },
})

export type OwnField = ThingOf<typeof field.fields>
