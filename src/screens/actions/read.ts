import type { StoredDeal } from '../../store/port/desk.ts'
import { readDeal } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import { type ActionsPage, actionsPage } from './view.ts'

export function showActions({ json }: StoredDeal, actions: ActionsPage['actions'], { service }: Visit): View {
  const deal = readDeal(json)
  return () => actionsPage({ deal, actions, addresses: service.addresses })
}
