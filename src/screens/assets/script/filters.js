import { main, tell } from './base.js'
import { become } from './live.js'
import { reasonIn, tellFailure } from './send-form.js'

// A changed filter applies at once, without leaving the page; without script a form has a button.

const TYPING = 400
let soon
let asking
let lastField
let address = location.pathname + location.search

async function applyFilters(form, field) {
  clearTimeout(soon)
  asking?.abort()
  asking = new AbortController()
  const { signal } = asking
  try {
    const filters = new URLSearchParams(new FormData(form))
    const answer = await fetch(`${form.action}?${filters}`, { headers: { accept: 'text/html' }, signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (!answer.ok) return tell(reasonIn(page))
    // After the session ended, the answer asks to sign in.
    if (page.querySelector('.filters') === null) return location.assign(answer.url)
    const { pathname, search } = new URL(answer.url)
    // Further typing in a field changes the same entry of the history.
    if (field && field === lastField) history.replaceState(history.state, '', answer.url)
    else history.pushState(null, '', answer.url)
    lastField = field
    address = pathname + search
    document.title = page.title
    become(main, page.getElementById('main'))
    document.documentElement.dataset.filtered = search
  } catch (cause) {
    if (cause.name !== 'AbortError') tellFailure()
  }
}

addEventListener('input', ({ target }) => {
  const form = target.closest('.filters')
  if (form === null) return
  clearTimeout(soon)
  soon = setTimeout(applyFilters, target.matches('select') ? 0 : TYPING, form, target)
})
addEventListener('submit', (event) => {
  if (!event.target.matches('.filters')) return
  event.preventDefault()
  void applyFilters(event.target)
})
addEventListener('change', ({ target }) => target.matches('.reporting select') && target.form.requestSubmit())

// Back to other filters; a place within the page is the same page.
addEventListener('popstate', () => location.pathname + location.search !== address && location.reload())
