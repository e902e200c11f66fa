import type { Call } from '../../http/contract/endpoint.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { OwnField } from '../../model/nouns/field/field.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { collectionNamed, collectionOf } from '../../queries/collections.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { ownField } from '../../values/json/own.ts'
import { mayDo } from '../../values/role.ts'
import { listTexts } from '../list/list-screen.ts'
import { ask, askGroups, unlessTooCostly } from '../parts/ask.ts'
import { type Detail, details, quiet } from '../parts/panel.ts'
import { stagesOf } from '../stages/stages.ts'

/** Everything that would miss a field. */
export interface FieldUses {
  /** The number of things with a value, and their list; unknown if counting them takes too long. */
  readonly things: {
    readonly count: number | undefined
    readonly href: string
    readonly plural: string
    readonly name: string
  }
  readonly views: readonly FieldUser[]
  readonly webhooks: readonly FieldUser[]
  /** The stages that require it. */
  readonly stages: readonly Markup[]
}

interface FieldUser {
  readonly href: string
  readonly text: string
}

export async function readUses(field: Pick<OwnField, 'on' | 'name'>, call: Call): Promise<FieldUses> {
  const { desk, schema, service } = call
  const resource: Resource = resourceNamed(schema, field.on)
  const name = ownField(field.name)
  const query = `${name}.null=false`
  const [groups, views, webhooks] = await Promise.all([
    unlessTooCostly(askGroups(desk, collectionOf(resource), `${query}&measure=count`), undefined),
    readAll(call, 'views', 'reader'),
    readAll(call, 'webhooks', 'admin'),
  ])
  const names = (text: unknown): boolean => typeof text === 'string' && mentions(text, field.name)
  return {
    things: {
      ...{ plural: resource.plural, name: resource.name },
      count: groups?.reduce((all, { count }) => all + Number(count), 0),
      href: `${service.addresses.base}${resource.path}?${query}`,
    },
    views: views
      .filter((view) => view.collection === resource.plural && names(view.query))
      .map((view) => ({ href: `${service.addresses.base}${resource.path}?${view.query}`, text: String(view.name) })),
    webhooks: webhooks
      .filter(({ where, changed }) => names(`${where ?? ''} ${JSON.stringify(changed ?? '')}`))
      .map(({ id, url }) => ({ href: service.addresses.webhook(String(id)), text: String(url) })),
    stages: stagesThatRequire(requiredAs(resource, name), call),
  }
}

type ReadUser = { readonly [member: string]: unknown }

/** Those that the caller may see. */
async function readAll(call: Call, name: 'views' | 'webhooks', role: 'reader' | 'admin'): Promise<readonly ReadUser[]> {
  if (!mayDo(call, role)) return []
  const { items } = await ask(call.desk, collectionNamed(call.desk.schema, name), 'maxpagesize=1000')
  return items.map((json) => JSON.parse(json) as ReadUser)
}

/** In whichever dialect it is written: `own.branch`, `own/branch`, `own[branch]`, `own->>branch`. */
const mentions = (query: string, name: string): boolean =>
  new RegExp(`\\bown[^A-Za-z0-9]{1,9}${name}(?![A-Za-z0-9])`).test(decoded(query))

function decoded(query: string): string {
  try {
    return decodeURIComponent(query)
  } catch {
    return query
  }
}

/** The names by which a stage may require a field: a deal's own, or that of what it refers to. */
function requiredAs(resource: Resource, field: string): readonly string[] {
  const deal = resourceNamed(resource.schema, 'deal')
  const through = deal.references.filter(({ to }) => to === resource.name).map(({ name }) => `${name}.${field}`)
  return resource.name === deal.name ? [field, ...through] : through
}

function stagesThatRequire(fields: readonly string[], { schema, service }: Call): readonly Markup[] {
  const gates = schema.pipelines.flatMap(({ name, stages }) =>
    stages
      .filter(({ requires }) => requires.some((each) => fields.includes(each)))
      .map((stage) => `${name} ${stage.name}`),
  )
  return stagesOf(schema)
    .filter(({ pipeline, stage }) => gates.includes(`${pipeline} ${stage}`))
    .map(({ title, query }) => html`<a href="${service.addresses.deals}?${query}">${title}</a>`)
}

/** The uses, each with its address. */
export function usesMarkup({ things, views, webhooks, stages }: FieldUses): Markup {
  const count = things.count === undefined ? say('very many') : say(listTexts(things).count, { count: things.count })
  const none = quiet(say('none'))
  const linked = (all: readonly FieldUser[]) => all.map(({ href, text }) => html`<a href="${href}">${text}</a>`)
  const shown = (all: readonly Markup[]) => (all.length === 0 ? none : all.map((each, at) => [at > 0 && ', ', each]))
  const rows: readonly Detail[] = [
    [say('With a value'), things.count === 0 ? none : html`<a href="${things.href}">${count}</a>`],
    [say('Views'), shown(linked(views))],
    [say('Webhooks'), shown(linked(webhooks))],
    [say('Required for stages'), shown(stages)],
  ]
  const kept = say('Views that are shared and webhooks keep the field until they no longer name it.')
  const isKept = views.length + webhooks.length > 0
  return html`${details(rows)}${isKept && html`<p class="quiet">${kept}</p>`}`
}
