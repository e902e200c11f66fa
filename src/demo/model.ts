import type { DomainEvent } from '../model/declaration/event.ts'
import type { Params } from '../model/declaration/operation.ts'
import type { Thing } from '../model/declaration/resource.ts'
import type { Resource, Schema } from '../model/declaration/schema.ts'
import { laterSchema, sourceOf } from '../model/schema/build-schema.ts'
import { resourceNamed } from '../model/schema/resources.ts'
import { sourceAfter } from '../model/schema/stored-model.ts'
import { perform } from './perform.ts'
import { idAt, type Random } from './random.ts'
import { DAY, HOUR } from './time.ts'

interface ToldModel {
  /** With the fields and pipelines. */
  readonly schema: Schema
  readonly things: readonly { readonly resource: Resource; readonly things: readonly Thing[] }[]
  readonly events: readonly DomainEvent[]
}

/**
 * The fields and the pipeline that an admin of the sample team has added. What has one text for all languages has words
 * that pages translate, such as the titles of stages, or needs no translation.
 */
export function demoModel(before: Schema, random: Random, today: number): ToldModel {
  const begun = today - 712 * DAY
  const events: DomainEvent[] = []
  let schema = before
  const told = [...fields.map((params) => ['field', params] as const), ['pipeline', renewals] as const]
  const made = told.map(([name, params], nth) => {
    const resource: Resource = resourceNamed(schema, name)
    const at = begun + nth * HOUR
    const done = perform({
      ...{ resource, id: idAt(at, random), before: undefined, operation: 'create', params, at },
      ...{ actor: null, form: 'resource' },
    })
    events.push(...done.events)
    const source = sourceAfter(sourceOf(schema), resource, done.thing as never, false, done.thing.updatedAt)
    schema = laterSchema(schema, source)
    return { name, thing: done.thing }
  })
  const things = ['field', 'pipeline'].map((name) => ({
    resource: resourceNamed(schema, name) as Resource,
    things: made.filter((each) => each.name === name).map(({ thing }) => thing),
  }))
  return { schema, things, events }
}

const choice = (value: string, title: string, de: string, es: string, fr: string) => ({
  ...{ value, title },
  titles: { de, es, fr },
})

const fields: readonly Params[] = [
  {
    ...{ on: 'deal', name: 'source', title: 'Source', kind: 'choice', indexed: true },
    titles: { de: 'Herkunft', es: 'Origen', fr: 'Origine' },
    options: {
      values: [
        choice('referral', 'Referral', 'Empfehlung', 'Recomendación', 'Recommandation'),
        choice('website', 'Website', 'Website', 'Sitio web', 'Site web'),
        choice('fair', 'Trade fair', 'Messe', 'Feria', 'Salon'),
        choice('call', 'Call', 'Anruf', 'Llamada', 'Appel'),
      ],
    },
  },
  {
    ...{ on: 'deal', name: 'competitors', title: 'Competitors', kind: 'choices' },
    titles: { de: 'Mitbewerber', es: 'Competidores', fr: 'Concurrents' },
    options: { values: ['Northwind', 'Contoso', 'Fabrikam', 'Globex'].map((title) => ({ value: title, title })) },
  },
  {
    ...{ on: 'deal', name: 'contractEnd', title: 'Contract ends', kind: 'date', indexed: true },
    titles: { de: 'Vertragsende', es: 'Fin del contrato', fr: 'Fin du contrat' },
  },
  {
    ...{ on: 'customer', name: 'segment', title: 'Segment', kind: 'choice', indexed: true },
    titles: { de: 'Segment', es: 'Segmento', fr: 'Segment' },
    options: {
      values: [
        choice('small', 'Small', 'Klein', 'Pequeño', 'Petit'),
        choice('medium', 'Medium', 'Mittel', 'Mediano', 'Moyen'),
        choice('large', 'Large', 'Groß', 'Grande', 'Grand'),
      ],
    },
  },
  {
    ...{ on: 'customer', name: 'accountNumber', title: 'Account number', kind: 'text', unique: true, searched: true },
    titles: { de: 'Kundennummer', es: 'Número de cuenta', fr: 'Numéro de compte' },
    ...{ options: { max: 20 }, help: 'A-10007' },
  },
  {
    ...{ on: 'customer', name: 'newsletter', title: 'Newsletter', kind: 'boolean' },
    titles: { de: 'Newsletter', es: 'Boletín', fr: 'Lettre d’information' },
  },
  {
    ...{ on: 'task', name: 'hours', title: 'Hours', kind: 'number', help: '1 = 60 min' },
    titles: { de: 'Stunden', es: 'Horas', fr: 'Heures' },
  },
]

/** Its stages, by name, in their order. */
export const renewalStages = ['due', 'terms', 'ready'] as const

export const lostReasons = ['Too expensive', 'Went to a competitor', 'No longer needed']

const renewals: Params = {
  ...{ name: 'renewals', title: 'Renewals' },
  stages: [
    { name: 'due', title: 'Due', likelihood: 60, staleAfter: 30 },
    { name: 'terms', title: 'Terms', likelihood: 75, requires: ['owner', 'own.contractEnd'], staleAfter: 21 },
    { name: 'ready', title: 'Ready', likelihood: 95, requires: ['customer.email'] },
  ],
  lostReasons,
}
