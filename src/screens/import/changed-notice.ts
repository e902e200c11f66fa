import type { Call } from '../../http/contract/endpoint.ts'
import type { ThingSince } from '../../model/declaration/refusal.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'

/** Why an import cannot be undone, with links to what stands in the way. */
export function changedNotice(why: Markup, things: readonly ThingSince[], { schema, service }: Call): Markup {
  const entries = things.map(({ on, id, name }) => {
    const address = service.addresses.thing(resourceNamed(schema, on), id)
    return html`<li><a href="${address}" lang="">${name ?? String(id)}</a></li>\n`
  })
  return html`<div class="notice" role="alert"><p>${why}</p>${entries.length > 0 && html`<ul>${entries}</ul>`}</div>\n`
}
