// Every resource with its fields and its operations, as the service declares them. Nothing here is there at run time.

// Written by `npm run generate`.
export interface Declared {
  readonly deal: {
    readonly plural: 'deals'
    readonly fields: {
      readonly id: ['uuid', string]
      readonly name: ['text', string]
      readonly price: ['amount', number]
      readonly currency: ['choice', string]
      readonly customerId: ['integer', number | null]
      readonly owner: ['text', string | null]
      readonly description: ['text', string]
      readonly pipeline: ['choice', 'sales']
      readonly stage: ['choice', 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'contract']
      readonly completionDate: ['date', string | null]
      readonly reference: ['text', string | null]
      readonly status: ['choice', 'open' | 'completed' | 'cancelled']
      readonly held: ['boolean', boolean]
      readonly holdReason: ['text', string | null]
      readonly archived: ['boolean', boolean]
      readonly amercement: ['amount', number]
      readonly paid: ['amount', number]
      readonly completedOn: ['date', string | null]
      readonly acceptedBy: ['text', string | null]
      readonly closingReason: ['text', string | null]
      readonly deletedAt: ['instant', string | null]
      readonly createdAt: ['instant', string]
      readonly updatedAt: ['instant', string]
      readonly revision: ['integer', number]
    }
    readonly filters: { readonly deleted: 'boolean'; readonly stageSince: 'instant'; readonly closedAt: 'instant' }
    readonly relations: { readonly customer: ['one', 'customers']; readonly tasks: ['many', 'tasks'] }
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
          readonly pipeline?: 'sales'
          readonly stage?: 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'contract'
          readonly completionDate?: string | null
          readonly reference?: string | null
        }
      >
      readonly delete: Operation<'DeleteDeal', 'deal.deleted', Empty>
      readonly restore: Operation<'RestoreDeal', 'deal.restored', Empty>
      readonly hold: Operation<'HoldDeal', 'deal.held', { readonly reason: string }>
      readonly unhold: Operation<'UnholdDeal', 'deal.unheld', Empty>
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
      readonly archive: Operation<'ArchiveDeal', 'deal.archived', Empty>
      readonly unarchive: Operation<'UnarchiveDeal', 'deal.unarchived', Empty>
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
        { readonly stage?: 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'contract'; readonly pipeline?: 'sales' }
      >
      readonly 'add-note': Operation<
        'AddDealNote',
        'deal.note-added',
        { readonly text: string; readonly kind?: 'note' | 'call' | 'meeting' | 'mail'; readonly happenedAt?: string }
      >
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
      readonly 'set-fields': Operation<'SetDealFields', 'deal.fields-set', { readonly reference?: string | null }>
    }
  }
  readonly customer: {
    readonly plural: 'customers'
    readonly fields: {
      readonly id: ['integer', number]
      readonly name: ['text', string]
      readonly email: ['text', string | null]
      readonly age: ['integer', number | null]
      readonly children: ['integer', number | null]
      readonly country: ['choice', string | null]
      readonly company: ['text', string | null]
      readonly phone: ['text', string | null]
      readonly reference: ['text', string | null]
      readonly createdAt: ['instant', string]
      readonly updatedAt: ['instant', string]
      readonly revision: ['integer', number]
    }
    readonly filters: Empty
    readonly relations: { readonly deals: ['many', 'deals']; readonly tasks: ['many', 'tasks'] }
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
          readonly reference?: string | null
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
          readonly reference?: string | null
        }
      >
      readonly 'add-note': Operation<
        'AddCustomerNote',
        'customer.note-added',
        { readonly text: string; readonly kind?: 'note' | 'call' | 'meeting' | 'mail'; readonly happenedAt?: string }
      >
      readonly delete: Removal<'DeleteCustomer', 'customer.deleted', Empty>
    }
  }
  readonly task: {
    readonly plural: 'tasks'
    readonly fields: {
      readonly id: ['uuid', string]
      readonly title: ['text', string]
      readonly dealId: ['uuid', string | null]
      readonly customerId: ['integer', number | null]
      readonly assignee: ['text', string | null]
      readonly dueOn: ['date', string | null]
      readonly dueAt: ['instant', string | null]
      readonly note: ['text', string]
      readonly reference: ['text', string | null]
      readonly status: ['choice', 'open' | 'done']
      readonly createdAt: ['instant', string]
      readonly updatedAt: ['instant', string]
      readonly revision: ['integer', number]
    }
    readonly filters: Empty
    readonly relations: { readonly deal: ['one', 'deals']; readonly customer: ['one', 'customers'] }
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
          readonly reference?: string | null
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
          readonly reference?: string | null
        }
      >
      readonly finish: Operation<'FinishTask', 'task.finished', Empty>
      readonly reopen: Operation<'ReopenTask', 'task.reopened', Empty>
      readonly delete: Removal<'DeleteTask', 'task.deleted', Empty>
    }
  }
  readonly rate: {
    readonly plural: 'rates'
    readonly fields: {
      readonly id: ['uuid', string]
      readonly currency: ['choice', string]
      readonly perUnit: ['amount', number]
      readonly since: ['date', string]
      readonly createdAt: ['instant', string]
      readonly updatedAt: ['instant', string]
      readonly revision: ['integer', number]
    }
    readonly filters: Empty
    readonly relations: Empty
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
      readonly delete: Removal<'DeleteRate', 'rate.deleted', Empty>
    }
  }
  readonly target: {
    readonly plural: 'targets'
    readonly fields: {
      readonly id: ['uuid', string]
      readonly user: ['text', string]
      readonly from: ['date', string]
      readonly to: ['date', string]
      readonly amount: ['amount', number]
      readonly currency: ['choice', string]
      readonly createdAt: ['instant', string]
      readonly updatedAt: ['instant', string]
      readonly revision: ['integer', number]
    }
    readonly filters: Empty
    readonly relations: Empty
    readonly operations: {
      readonly create: Operation<
        'CreateTarget',
        'target.created',
        {
          readonly user: string
          readonly from: string
          readonly to: string
          readonly amount: number
          readonly currency?: string
        }
      >
      readonly change: Operation<
        'ChangeTarget',
        'target.changed',
        {
          readonly user?: string
          readonly from?: string
          readonly to?: string
          readonly amount?: number
          readonly currency?: string
        }
      >
      readonly delete: Removal<'DeleteTarget', 'target.deleted', Empty>
    }
  }
  readonly view: {
    readonly plural: 'views'
    readonly fields: {
      readonly id: ['uuid', string]
      readonly name: ['text', string]
      readonly collection: ['text', string]
      readonly query: ['text', string]
      readonly shared: ['boolean', boolean]
      readonly owner: ['text', string | null]
      readonly createdAt: ['instant', string]
      readonly updatedAt: ['instant', string]
      readonly revision: ['integer', number]
    }
    readonly filters: Empty
    readonly relations: Empty
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
      readonly delete: Removal<'DeleteView', 'view.deleted', Empty>
    }
  }
  readonly field: {
    readonly plural: 'fields'
    readonly fields: {
      readonly id: ['uuid', string]
      readonly title: ['text', string]
      readonly on: ['choice', 'deal' | 'customer' | 'task']
      readonly name: ['text', string]
      readonly titles: ['json', object]
      readonly kind: [
        'choice',
        (
          | 'text'
          | 'choice'
          | 'choices'
          | 'integer'
          | 'number'
          | 'amount'
          | 'boolean'
          | 'date'
          | 'instant'
          | 'user'
          | 'link'
          | 'url'
          | 'email'
          | 'phone'
        ),
      ]
      readonly options: ['json', object]
      readonly required: ['boolean', boolean]
      readonly unique: ['boolean', boolean]
      readonly indexed: ['boolean', boolean]
      readonly searched: ['boolean', boolean]
      readonly help: ['text', string | null]
      readonly position: ['integer', number]
      readonly group: ['text', string | null]
      readonly retiredAt: ['instant', string | null]
      readonly state: ['choice', 'ready' | 'building' | 'failed' | 'purged']
      readonly repeats: ['json', readonly object[] | null]
      readonly replaceBy: ['json', object | null]
      readonly createdAt: ['instant', string]
      readonly updatedAt: ['instant', string]
      readonly revision: ['integer', number]
    }
    readonly filters: Empty
    readonly relations: Empty
    readonly operations: {
      readonly create: Operation<
        'CreateField',
        'field.created',
        {
          readonly title: string
          readonly on: 'deal' | 'customer' | 'task'
          readonly name: string
          readonly titles?: object
          readonly kind:
            | 'text'
            | 'choice'
            | 'choices'
            | 'integer'
            | 'number'
            | 'amount'
            | 'boolean'
            | 'date'
            | 'instant'
            | 'user'
            | 'link'
            | 'url'
            | 'email'
            | 'phone'
          readonly options?: object
          readonly required?: boolean
          readonly unique?: boolean
          readonly indexed?: boolean
          readonly searched?: boolean
          readonly help?: string | null
          readonly position?: number
          readonly group?: string | null
        }
      >
      readonly change: Operation<
        'ChangeField',
        'field.changed',
        {
          readonly title?: string
          readonly titles?: object
          readonly options?: object
          readonly required?: boolean
          readonly unique?: boolean
          readonly indexed?: boolean
          readonly searched?: boolean
          readonly help?: string | null
          readonly position?: number
          readonly group?: string | null
          readonly replaceBy?: object | null
        }
      >
      readonly retire: Operation<'RetireField', 'field.retired', Empty>
      readonly restore: Operation<'RestoreField', 'field.restored', Empty>
    }
  }
  readonly pipeline: {
    readonly plural: 'pipelines'
    readonly fields: {
      readonly id: ['uuid', string]
      readonly name: ['text', string]
      readonly title: ['text', string]
      readonly titles: ['json', object]
      readonly position: ['integer', number]
      readonly default: ['boolean', boolean]
      readonly stages: ['json', readonly object[]]
      readonly lostReasons: ['json', readonly string[]]
      readonly closing: ['boolean', boolean]
      readonly moveTo: ['json', object | null]
      readonly successor: ['text', string | null]
      readonly createdAt: ['instant', string]
      readonly updatedAt: ['instant', string]
      readonly revision: ['integer', number]
    }
    readonly filters: Empty
    readonly relations: Empty
    readonly operations: {
      readonly create: Operation<
        'CreatePipeline',
        'pipeline.created',
        {
          readonly name: string
          readonly title: string
          readonly titles?: object
          readonly position?: number
          readonly default?: boolean
          readonly stages: readonly object[]
          readonly lostReasons?: readonly string[]
        }
      >
      readonly change: Operation<
        'ChangePipeline',
        'pipeline.changed',
        {
          readonly title?: string
          readonly titles?: object
          readonly position?: number
          readonly default?: boolean
          readonly stages?: readonly object[]
          readonly lostReasons?: readonly string[]
          readonly moveTo?: object | null
        }
      >
      readonly delete: Removal<'DeletePipeline', 'pipeline.deleted', { readonly moveTo?: string }>
    }
  }
}
// End of what is written.

type Empty = Record<never, never>

interface Operation<A extends string, E extends string, P> {
  readonly action: A
  readonly event: E
  readonly params: P
}
/** An event of a removed thing has only its id. */
interface Removal<A extends string, E extends string, P> extends Operation<A, E, P> {
  readonly removes: true
}

/** The name of a resource. */
export type Noun = keyof Declared

/** A thing as lists and events have it, without links. */
export type Item<N extends Noun> = { readonly [F in keyof Declared[N]['fields']]: Second<Declared[N]['fields'][F]> }
type Second<P> = P extends readonly [unknown, infer T] ? T : never

/** The things of a resource by the name of its list. */
export type ItemsOf = { readonly [N in Noun as Declared[N]['plural']]: Item<N> }
