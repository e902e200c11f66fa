// Every resource with its fields and its operations, as the service declares them. Nothing here is there at run time.

// Written by `npm run generate`.
export interface Declared {
  readonly deal: {
    readonly plural: 'deals'
    readonly thing: {
      readonly id: string
      readonly name: string
      readonly price: number
      readonly currency: string
      readonly customerId: number | null
      readonly owner: string | null
      readonly description: string
      readonly stage: 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'contract'
      readonly completionDate: string | null
      readonly status: 'open' | 'completed' | 'cancelled'
      readonly held: boolean
      readonly holdReason: string | null
      readonly archived: boolean
      readonly amercement: number
      readonly paid: number
      readonly completedOn: string | null
      readonly acceptedBy: string | null
      readonly closingReason: string | null
      readonly deletedAt: string | null
      readonly createdAt: string
      readonly updatedAt: string
      readonly revision: number
    }
    readonly operations: {
      readonly create: Operation<
        'CreateDeal',
        'deal.created',
        {
          readonly name: string
          readonly price: number
          readonly currency?: string
          readonly customerId?: number | null | `$${number}`
          readonly owner?: string | null
          readonly description?: string
          readonly stage?: 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'contract'
          readonly completionDate?: string | null
        }
      >
      readonly delete: Operation<'DeleteDeal', 'deal.deleted', Record<never, never>>
      readonly restore: Operation<'RestoreDeal', 'deal.restored', Record<never, never>>
      readonly hold: Operation<'HoldDeal', 'deal.held', { readonly reason: string }>
      readonly unhold: Operation<'UnholdDeal', 'deal.unheld', Record<never, never>>
      readonly complete: Operation<
        'CompleteDeal',
        'deal.completed',
        { readonly completedOn?: string; readonly acceptedBy?: string; readonly note?: string }
      >
      readonly cancel: Operation<
        'CancelDeal',
        'deal.cancelled',
        { readonly amercement?: number; readonly reason: string }
      >
      readonly reopen: Operation<'ReopenDeal', 'deal.reopened', { readonly reason: string }>
      readonly archive: Operation<'ArchiveDeal', 'deal.archived', Record<never, never>>
      readonly unarchive: Operation<'UnarchiveDeal', 'deal.unarchived', Record<never, never>>
      readonly 'change-price': Operation<
        'ChangeDealPrice',
        'deal.price-changed',
        { readonly newPrice: number; readonly reason: string }
      >
      readonly 'change-completion-date': Operation<
        'ChangeDealCompletionDate',
        'deal.completion-date-changed',
        { readonly newDate: string | null; readonly amercement?: number; readonly whyChanged: string }
      >
      readonly rename: Operation<'RenameDeal', 'deal.renamed', { readonly newName: string }>
      readonly describe: Operation<'DescribeDeal', 'deal.described', { readonly description: string }>
      readonly assign: Operation<'AssignDeal', 'deal.assigned', { readonly owner: string | null }>
      readonly 'change-customer': Operation<
        'ChangeDealCustomer',
        'deal.customer-changed',
        { readonly customerId: number | null | `$${number}` }
      >
      readonly move: Operation<
        'MoveDeal',
        'deal.moved',
        { readonly stage: 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'contract' }
      >
      readonly 'add-note': Operation<'AddDealNote', 'deal.note-added', { readonly text: string }>
      readonly 'record-payment': Operation<
        'RecordDealPayment',
        'deal.payment-recorded',
        { readonly amount: number; readonly reference?: string }
      >
      readonly 'waive-amercement': Operation<
        'WaiveDealAmercement',
        'deal.amercement-waived',
        { readonly amount?: number; readonly reason: string }
      >
    }
  }
  readonly customer: {
    readonly plural: 'customers'
    readonly thing: {
      readonly id: number
      readonly name: string
      readonly email: string | null
      readonly age: number | null
      readonly children: number | null
      readonly country: string | null
      readonly company: string | null
      readonly phone: string | null
      readonly createdAt: string
      readonly updatedAt: string
      readonly revision: number
    }
    readonly operations: {
      readonly create: Operation<
        'CreateCustomer',
        'customer.created',
        {
          readonly name: string
          readonly email?: string | null
          readonly age?: number | null
          readonly children?: number | null
          readonly country?: string | null
          readonly company?: string | null
          readonly phone?: string | null
        }
      >
      readonly change: Operation<
        'ChangeCustomer',
        'customer.changed',
        {
          readonly name?: string
          readonly email?: string | null
          readonly age?: number | null
          readonly children?: number | null
          readonly country?: string | null
          readonly company?: string | null
          readonly phone?: string | null
        }
      >
      readonly delete: Removal<'DeleteCustomer', 'customer.deleted', Record<never, never>>
    }
  }
  readonly task: {
    readonly plural: 'tasks'
    readonly thing: {
      readonly id: string
      readonly title: string
      readonly dealId: string | null
      readonly customerId: number | null
      readonly assignee: string | null
      readonly dueOn: string | null
      readonly dueAt: string | null
      readonly note: string
      readonly status: 'open' | 'done'
      readonly createdAt: string
      readonly updatedAt: string
      readonly revision: number
    }
    readonly operations: {
      readonly create: Operation<
        'CreateTask',
        'task.created',
        {
          readonly title: string
          readonly dealId?: string | null | `$${number}`
          readonly customerId?: number | null | `$${number}`
          readonly assignee?: string | null
          readonly dueOn?: string | null
          readonly dueAt?: string | null
          readonly note?: string
        }
      >
      readonly change: Operation<
        'ChangeTask',
        'task.changed',
        {
          readonly title?: string
          readonly dealId?: string | null | `$${number}`
          readonly customerId?: number | null | `$${number}`
          readonly assignee?: string | null
          readonly dueOn?: string | null
          readonly dueAt?: string | null
          readonly note?: string
        }
      >
      readonly finish: Operation<'FinishTask', 'task.finished', Record<never, never>>
      readonly reopen: Operation<'ReopenTask', 'task.reopened', Record<never, never>>
      readonly delete: Removal<'DeleteTask', 'task.deleted', Record<never, never>>
    }
  }
  readonly rate: {
    readonly plural: 'rates'
    readonly thing: {
      readonly id: string
      readonly currency: string
      readonly perUnit: number
      readonly since: string
      readonly createdAt: string
      readonly updatedAt: string
      readonly revision: number
    }
    readonly operations: {
      readonly create: Operation<
        'CreateRate',
        'rate.created',
        { readonly currency: string; readonly perUnit: number; readonly since: string }
      >
      readonly change: Operation<
        'ChangeRate',
        'rate.changed',
        { readonly currency?: string; readonly perUnit?: number; readonly since?: string }
      >
      readonly delete: Removal<'DeleteRate', 'rate.deleted', Record<never, never>>
    }
  }
  readonly view: {
    readonly plural: 'views'
    readonly thing: {
      readonly id: string
      readonly name: string
      readonly collection: string
      readonly query: string
      readonly shared: boolean
      readonly owner: string | null
      readonly createdAt: string
      readonly updatedAt: string
      readonly revision: number
    }
    readonly operations: {
      readonly create: Operation<
        'CreateView',
        'view.created',
        { readonly name: string; readonly collection: string; readonly query?: string; readonly shared?: boolean }
      >
      readonly change: Operation<
        'ChangeView',
        'view.changed',
        { readonly name?: string; readonly collection?: string; readonly query?: string; readonly shared?: boolean }
      >
      readonly delete: Removal<'DeleteView', 'view.deleted', Record<never, never>>
    }
  }
}
// End of what is written.

interface Operation<A extends string, E extends string, P> {
  readonly action: A
  readonly event: E
  readonly params: P
}
/** Of what is gone, an event has the id alone. */
interface Removal<A extends string, E extends string, P> extends Operation<A, E, P> {
  readonly removes: true
}

/** The name of a resource. */
export type Noun = keyof Declared

/** A thing as lists and events have it, without links. */
export type Item<N extends Noun> = Declared[N]['thing']

/** The things of a resource by the name of its list. */
export type ItemsOf = { readonly [N in Noun as Declared[N]['plural']]: Item<N> }
