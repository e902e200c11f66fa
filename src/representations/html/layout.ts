import type { WritingContext } from '../representation.ts'
import { html, type Markup } from './markup.ts'

/** A whole page around its main part: what every page of the service has. */
export function layout(title: string, main: Markup, context: WritingContext): string {
  const { alternates, homeHref, navigation, stylesheetHref } = context
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Dealdesk</title>
<link rel="stylesheet" href="${stylesheetHref}">
${alternates.map(({ href, mediaType }) => html`<link rel="alternate" type="${mediaType}" href="${href}">\n`)}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="brand" href="${homeHref}" rel="home">Dealdesk</a>
<nav aria-label="Main"><ul>${navigation.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul></nav>
</header>
<main id="main">
<h1>${title}</h1>
${main}</main>
${alternates.length > 0 && footer(context)}</body>
</html>
`.toString()
}

function footer({ alternates }: WritingContext): Markup {
  const others = alternates.map(
    ({ href, mediaType, name }) => html`<li><a href="${href}" rel="alternate" type="${mediaType}">${name}</a></li>`,
  )
  return html`<footer>
<nav aria-label="Other formats"><p>This as</p><ul>${others}</ul></nav>
</footer>
`
}
