import { dayIn } from '../../languages/formats.ts'
import { resourceNamed } from '../../model/resources.ts'
import { mayDo } from '../../values/role.ts'
import { creationForm, thingForm } from '../page-forms/operation-form.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { readReporting } from '../reporting/read.ts'
import { type ListedRate, ratesPage } from './view.ts'

/** The list of rates, with a form for each where the caller may change them. */
export async function showRates(list: ShownList, visit: Visit): Promise<View> {
  const { addresses, settings } = visit.service
  const today = dayIn(new Date().toISOString(), visit.reader.timeZone)
  const rate = resourceNamed(visit.desk.schema, 'rate')
  const backHere = <F extends { readonly hidden: { readonly [name: string]: string } }>(form: F): F => ({
    ...form,
    hidden: { ...form.hidden, _return: rate.path },
  })
  const { inForce } = await readReporting(visit, today)
  const change = rate.operations.find(({ differences }) => differences)
  const mayChange = mayDo(visit, rate.roles.writes) && change !== undefined
  const creation = creationForm(rate, visit, { since: today })
  return () =>
    ratesPage({
      rates: Array.from(list.items, (json) => {
        const shown = JSON.parse(json) as ListedRate
        const form = mayChange ? thingForm(change, shown, { ...shown }, addresses) : undefined
        return { ...shown, isInForce: inForce.has(shown.id), form: form && backHere(form) }
      }),
      base: settings.currency,
      links: list.links,
      creation: creation && backHere(creation),
    })
}
