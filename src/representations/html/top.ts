import { say } from '../../languages/say.ts'
import { onceFor } from '../../values/memoize.ts'
import { html, type Markup } from './markup.ts'
import type { NavigationEntry, NavigationPart, WritingContext } from './writing-context.ts'

/** The bar of every page: the places of work, a search, the developers' menu, and the user's menu. */
export function topBar(context: WritingContext): Markup {
  const { navigation, homeHref, searchHref, themeHref } = context
  return html`${beginning(navigation, homeHref, searchHref)}${themeHref !== undefined && accountMenu(context, navigation, themeHref)}</header>
`
}

/** The same for every page of a place. */
const beginning = onceFor(
  (navigation: readonly NavigationEntry[], homeHref: string, searchHref: string | undefined): Markup => {
    const places = partOf(navigation, 'work')
    const developers = partOf(navigation, 'developers')
    return html`<header class="top">
<a class="brand" href="${homeHref}" rel="home">Dealdesk</a>
${places.length > 0 && html`<nav class="places" aria-label="${say('Main')}"><ul>${places.map((each, at) => entry(each, at < ON_PHONES ? undefined : 'wide'))}</ul></nav>\n`}${
  searchHref !== undefined && searchForm(searchHref)
}${
  developers.length > 0 &&
  html`<details class="menu developers">
<summary>${say('Developers')}</summary>
<nav aria-label="${say('Developers')}"><ul>${developers.map((each) => entry(each))}</ul></nav>
</details>
`
}`.oncePerLanguage()
  },
)

/** The number of places that fit into the bar of a phone. */
const ON_PHONES = 5

const partOf = (navigation: readonly NavigationEntry[], part: NavigationPart): readonly NavigationEntry[] =>
  navigation.filter((each) => each.part === part)

const entry = ({ href, label, current, key }: NavigationEntry, kind?: string): Markup =>
  html`<li${kind !== undefined && html` class="${kind}"`}><a href="${href}"${current === true && html` aria-current="page"`}${
    key !== undefined && html` data-key="${key}"`
  }>${say(label)}</a></li>`

const searchForm = (href: string): Markup => html`<search class="find"><form action="${href}">
<input type="search" name="q" maxlength="200" required autocomplete="off" aria-label="${say('Search everything')}" placeholder="${say('Search')}"><button type="submit" aria-label="${say('Search|verb')}"></button>
</form></search>
`

/** On phones it is the last entry of the bar, and has the places that do not fit. */
function accountMenu(context: WritingContext, navigation: readonly NavigationEntry[], themeHref: string): Markup {
  const { actor, profileHref, signOutHref } = context
  return html`<details class="menu account">
<summary>${actor === undefined ? say('More') : html`<span class="wide">${actor}</span><span class="narrow">${say('More')}</span>`}</summary>
<div>
${actor !== undefined && html`<p class="actor">${profileHref === undefined ? actor : html`<a href="${profileHref}">${actor}</a>`}</p>\n`}${menuPlaces(navigation)}${themeForm(context, themeHref)}${
  signOutHref !== undefined &&
  html`<form method="post" action="${signOutHref}"><button class="plain" type="submit">${say('Sign out')}</button></form>\n`
}</div>
</details>
`
}

const menuPlaces = onceFor((navigation: readonly NavigationEntry[]): Markup => {
  const further = partOf(navigation, 'work').slice(ON_PHONES)
  const creation = partOf(navigation, 'creation')
  const administration = partOf(navigation, 'administration')
  return html`${
    further.length > 0 &&
    html`<nav class="narrow" aria-label="${say('More places')}"><ul>${further.map((each) => entry(each))}</ul></nav>\n`
  }${creation.length > 0 && html`<nav aria-label="${say('Create')}"><ul>${creation.map((each) => entry(each))}</ul></nav>\n`}${
    administration.length > 0 &&
    html`<nav aria-label="${say('Settings')}"><p>${say('Settings')}</p><ul>${administration.map((each) => entry(each))}</ul></nav>\n`
  }`.oncePerLanguage()
})

const themeForm = ({ theme, back }: WritingContext, href: string): Markup =>
  html`<form class="theme" method="post" action="${href}" aria-label="${say('Colours')}"><p>${say('Colours')}</p>
<input type="hidden" name="return" value="${back}">${themeChoices[theme ?? 'system']}
</form>
`

const themes = { system: say('System|colours'), light: say('Light|colours'), dark: say('Dark|colours') }

const themesWith = (current: keyof typeof themes): readonly Markup[] =>
  Object.entries(themes).map(
    ([value, text]) =>
      html`<button class="plain" type="submit" name="theme" value="${value}" aria-pressed="${value === current ? 'true' : 'false'}">${text}</button>`,
  )

/** The theme buttons, by the pressed one. */
const themeChoices = { system: themesWith('system'), light: themesWith('light'), dark: themesWith('dark') }
