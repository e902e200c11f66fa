import { direction } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { fieldLists } from '../markup/field-lists.ts'
import { html, Markup } from '../markup/markup.ts'
import type { WritingContext } from '../markup/writing-context.ts'
import { forDevelopers } from './for-developers.ts'
import { topBar } from './top.ts'

/** The frame of every page. */
export function layout(title: Text, main: Markup, context: WritingContext): Markup {
  const { alternates, eventsHref, styleHref, scriptHref, theme } = context
  const { touchIconHref, manifestHref } = context
  const touchIcon = touchIconHref !== undefined && html`<link rel="apple-touch-icon" href="${touchIconHref}">\n`
  const manifest =
    manifestHref !== undefined && html`<link rel="manifest" href="${manifestHref}" crossorigin="use-credentials">\n`
  const live = eventsHref !== undefined && html` data-events="${eventsHref}"`
  return html`<!DOCTYPE html>
<html lang="${context.reader.language.tag}" dir="${direction}"${theme !== undefined && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<title>${title} – Dealdesk</title>
<link rel="icon" href="${context.iconHref}">
${touchIcon}${manifest}<link rel="stylesheet" href="${styleHref}">
${scriptHref !== undefined && html`<script src="${scriptHref}" defer${live}></script>\n`}${alternates.map(({ href, mediaType }) => html`<link rel="alternate" type="${mediaType}" href="${href}">\n`)}</head>
<body>
<a class="skip" href="#${landingOf(main)}">${say('Skip to content')}</a>
${topBar(context)}<main id="main">
<div id="told" role="status">${context.notice}</div>
${main}</main>
${fieldLists(main, context)}${alternates.length > 0 && forDevelopers(footer(alternates))}</body>
</html>
`
}

/** Filters and buttons come before a list, which has one of these ids: the skip link leads to the list itself. */
export const landing = {
  cards: Markup.of(' id="cards"', new Set(['cards'])),
  list: Markup.of(' id="list"', new Set(['list'])),
}

const landingOf = ({ marks }: Markup): string => Object.keys(landing).find((id) => marks.has(id)) ?? 'main'

function footer(alternates: WritingContext['alternates']): Markup {
  const others = alternates.map(({ href, name }) => html`<li><a href="${href}" rel="alternate">${name}</a></li>`)
  return html`<footer>
<nav class="formats" aria-label="${say('Other formats')}"><p>${say('View as')}</p><ul lang="en">${others}</ul></nav>
</footer>
`
}
