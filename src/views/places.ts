/** The addresses that pages lead to. */
export interface Places {
  readonly base: string
  readonly home: string
  readonly board: string
  readonly deals: string
  deal(id: string): string
  ofDeal(id: string, part: string): string
  entry(id: string, noun: string, revision: number): string
  readonly customers: string
  customer(id: number): string
  readonly commands: string
  command(id: string): string
  readonly events: string
  readonly webhooks: string
  webhook(id: string): string
  delivery(webhook: string, number: number): string
  /** Where a filter bar sends what was filled in, to be led to the view it is of. */
  filter(view: string): string
}
