import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser } from 'playwright-core'

/** The pages that matter most, each wide and on a phone, in light and in dark colours. */
export async function everyPage(
  url: string,
  browser: Browser,
  folder: string,
  names: readonly string[],
): Promise<void> {
  const pages = Object.entries(await addressesAt(url)).filter(([name]) => names.length === 0 || names.includes(name))
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const) {
      const isPhone = size === 'phone'
      const page = await browser.newPage({
        ...{ viewport, colorScheme, locale: 'en-GB', timezoneId: 'UTC' },
        ...(isPhone && { isMobile: true, hasTouch: true }),
      })
      for (const [name, address] of pages) {
        await page.goto(url + address)
        await page.waitForLoadState('load')
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) })
      }
      await page.close()
    }
}

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

async function addressesAt(url: string): Promise<{ readonly [name: string]: string }> {
  const first = async (query: string): Promise<string> => {
    const answer = await fetch(url + query, { headers: { accept: 'application/json' } })
    const { items } = (await answer.json()) as { readonly items: readonly { readonly id: string }[] }
    return String(items[0]?.id)
  }
  const deal = await first('/rest/v1/deals?status=open&held=false&stage=proposal&sort=-price&maxpagesize=1')
  const field = await first('/fields?on=deal&kind=choice&maxpagesize=1')
  const pipeline = await first('/pipelines?maxpagesize=1')
  const { customerId } = (await (await fetch(`${url}/rest/v1/deals/${deal}`)).json()) as { readonly customerId: number }
  return {
    today: '/',
    board: '/board?pipeline=sales',
    deals: '/rest/v1/deals?status=open',
    deal: `/rest/v1/deals/${deal}`,
    customers: '/customers',
    customer: `/customers/${customerId}`,
    tasks: '/rest/v1/tasks?status=open&sort=dueOn',
    reports: '/reports',
    report: '/reports/won-and-lost',
    new: '/new/deals',
    search: '/search?q=so',
    fields: '/fields',
    field: `/fields/${field}`,
    pipelines: '/pipelines',
    pipeline: `/pipelines/${pipeline}`,
    'sign-in': '/sign-in?return=/',
    users: '/users',
    imports: '/imports',
    matching: await uploaded(url),
  }
}

/** The page of a file of deals, of which some columns, values and amounts have to be answered. */
async function uploaded(url: string): Promise<string> {
  const form = new FormData()
  form.set('what', 'deals')
  form.set('file', new Blob([FILE]), 'Angebote 2026.csv')
  const sent = await fetch(`${url}/imports`, {
    ...{ method: 'POST', body: form, redirect: 'manual' },
    headers: { accept: 'text/html' },
  })
  const address = String(sent.headers.get('location'))
  const isRunning = async (): Promise<boolean> => {
    const answer = await fetch(url + address, { headers: { accept: 'application/json' } })
    return ((await answer.json()) as { readonly isRunning?: boolean }).isRunning === true
  }
  while (await isRunning()) await setTimeout(20)
  return address
}

const FILE = `Deal Name;Betrag;Währung;Pipeline;Phase;Abschlussdatum;Zuständig;Notizen
Dach der Südhalle;129.950;EUR;Sales;Proposal Made;31.12.2026;Jonas Weber;
Kühlhaus, Tore;18.590,70;EUR;Sales;Closed Won;04.11.2026;Mila Sanz;Anzahlung ist da
Weinberg, Bewässerung;68.076;EUR;Sales;Warm;20.03.2027;Jonas Weber;
Vierzig Espressomaschinen;51.800;SEK;Sales;Warm;29.11.2026;J. Meyer;
`
