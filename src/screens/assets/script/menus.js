// Menus close when the focus leaves, and the choice of colours takes effect at once.

const menus = [...document.querySelectorAll('.menu')]

for (const leaving of ['click', 'focusin'])
  addEventListener(leaving, ({ target }) => {
    for (const menu of menus) if (!menu.contains(target)) menu.open = false
  })

addEventListener('keydown', (event) => {
  const menu = menus.find(({ open }) => open)
  if (event.key !== 'Escape' || menu === undefined) return
  menu.open = false
  menu.querySelector('summary').focus()
})

document.querySelector('.theme')?.addEventListener('submit', (event) => {
  event.preventDefault()
  const { target: form, submitter } = event
  const { value } = submitter
  document.documentElement.dataset.theme = value
  document.querySelector('meta[name=color-scheme]').content = value === 'system' ? 'light dark' : value
  for (const button of form.querySelectorAll('button')) button.ariaPressed = String(button === submitter)
  const body = new URLSearchParams(new FormData(form, submitter))
  // It is stored also if the user leaves at once; if it cannot be, the next page has the previous colours.
  fetch(form.action, { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => {})
})
