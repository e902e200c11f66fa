import { say } from '../../languages/say.ts'
import { onceFor } from '../../values/memoize.ts'
import { html, type Markup } from '../markup/markup.ts'
import type { NavigationEntry, NavigationPart, WritingContext } from '../markup/writing-context.ts'

/** The bar of every page: the places of work, a search, the developers' menu, and the user's menu. */
export function topBar(context: WritingContext): Markup {
  const { navigation, homeHref, searchHref, themeHref } = context
  const menu = themeHref !== undefined && accountMenu(context, navigation, themeHref)
  return html`${beginning(navigation, homeHref, searchHref)}${menu}</header>
`
}

/** The same for every page of a place. */
const beginning = onceFor(
  (navigation: readonly NavigationEntry[], homeHref: string, searchHref: string | undefined): Markup => {
    const places = partOf(navigation, 'work').map((each, at) => entry(each, at < ON_PHONES ? undefined : 'wide'))
    const developers = entriesOf(partOf(navigation, 'developers'))
    const work = html`<nav class="places" aria-label="${say('Main')}"><ul>${places}</ul></nav>\n`
    const menu = html`<details class="menu developers">
<summary data-icon="code">${say('Developers')}</summary>
<nav aria-label="${say('Developers')}"><ul>${developers}</ul></nav>
</details>
`
    return html`<header class="top">
<a class="brand" href="${homeHref}" rel="home">Dealdesk</a>
${places.length > 0 && work}${searchHref !== undefined && searchForm(searchHref)}${
  developers.length > 0 && menu
}`.oncePerLanguage()
  },
)

/** The number of places that fit into the bar of a phone. */
const ON_PHONES = 5

const partOf = (navigation: readonly NavigationEntry[], part: NavigationPart): readonly NavigationEntry[] =>
  navigation.filter((each) => each.part === part)

const entriesOf = (places: readonly NavigationEntry[]): readonly Markup[] => places.map((each) => entry(each))

function entry({ href, label, current, key, icon }: NavigationEntry, kind?: string): Markup {
  const isHere = current === true && html` aria-current="page"`
  const sign = icon !== undefined && html` data-icon="${icon}"`
  const link = html`<a href="${href}"${sign}${isHere}${key !== undefined && html` data-key="${key}"`}>${say(label)}</a>`
  return html`<li${kind !== undefined && html` class="${kind}"`}>${link}</li>`
}

function searchForm(href: string): Markup {
  const words = html`aria-label="${say('Search everything')}" placeholder="${say('Search')}"`
  return html`<search class="find"><form action="${href}">
<input type="search" name="q" maxlength="200" required autocomplete="off" ${words}>
<button type="submit" aria-label="${say('Search|verb')}"></button>
</form></search>
`
}

/** On phones it is the last entry of the bar, and has the places that do not fit. */
function accountMenu(context: WritingContext, navigation: readonly NavigationEntry[], themeHref: string): Markup {
  const { actor, profileHref, signOutHref } = context
  const more = say('More')
  const title =
    actor === undefined
      ? more
      : html`${context.actorMark}<span class="wide">${actor}</span><span class="narrow">${more}</span>`
  const profile = profileHref === undefined ? actor : html`<a href="${profileHref}">${actor}</a>`
  const leave = html`<button class="plain" type="submit">${say('Sign out')}</button>`
  const signOut = signOutHref !== undefined && html`<form method="post" action="${signOutHref}">${leave}</form>\n`
  return html`<details class="menu account">
<summary${actor === undefined && html` data-icon="menu"`}>${title}</summary>
<div>
${actor !== undefined && html`<p class="actor">${profile}</p>\n`}${menuPlaces(navigation)}${themeForm(context, themeHref)}${developerForm(
  context,
)}${signOut}</div>
</details>
`
}

const menuPlaces = onceFor((navigation: readonly NavigationEntry[]): Markup => {
  const further = entriesOf(partOf(navigation, 'work').slice(ON_PHONES))
  const creation = entriesOf(partOf(navigation, 'creation'))
  const administration = entriesOf(partOf(navigation, 'administration'))
  const settings = say('Settings')
  const parts = [
    further.length > 0 && html`<nav class="narrow" aria-label="${say('More places')}"><ul>${further}</ul></nav>\n`,
    creation.length > 0 && html`<nav aria-label="${say('Create')}"><ul>${creation}</ul></nav>\n`,
    administration.length > 0 &&
      html`<nav aria-label="${settings}"><p>${settings}</p><ul>${administration}</ul></nav>\n`,
  ]
  return html`${parts}`.oncePerLanguage()
})

const themeForm = ({ theme, back }: WritingContext, href: string): Markup =>
  html`<form class="theme" method="post" action="${href}" aria-label="${say('Colours')}"><p>${say('Colours')}</p>
<input type="hidden" name="return" value="${back}">${themeChoices[theme ?? 'system']}
</form>
`

const developerForm = ({ reader, developerHref, back }: WritingContext): Markup | false => {
  if (developerHref === undefined) return false
  const text = reader.developer ? say('Hide links for developers') : say('Show links for developers')
  return html`<form method="post" action="${developerHref}">
<input type="hidden" name="return" value="${back}">
<button class="plain" type="submit" name="developer" value="${String(!reader.developer)}">${text}</button>
</form>
`
}

const themes = { system: say('System|colours'), light: say('Light|colours'), dark: say('Dark|colours') }

const themesWith = (current: keyof typeof themes): readonly Markup[] =>
  Object.entries(themes).map(([value, text]) => {
    const sent = html`name="theme" value="${value}" aria-pressed="${String(value === current)}"`
    return html`<button class="plain" type="submit" ${sent}>${text}</button>`
  })

/** The theme buttons, by the pressed one. */
const themeChoices = { system: themesWith('system'), light: themesWith('light'), dark: themesWith('dark') }
