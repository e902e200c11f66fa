import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { Intent } from '../../model/intent/intent.ts'
import { concernsRights } from '../../model/schema/stored-model.ts'
import type { StoreDriver } from '../desks.ts'
import type { OwnIndexes } from '../port/own-indexes.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { accountReads, accountWorks } from './accounts/account-store.ts'
import { auditedWorks } from './audited/audited.ts'
import { importReads, importStore, importWorks } from './imports/imports.ts'
import { modelWorks } from './model/fill-index.ts'
import type { TableStatements } from './table-statements.ts'
import type { EndedOwners } from './webhooks/delivery-leases.ts'
import { webhookReads, webhookStore, webhookWorks } from './webhooks/webhook-store.ts'
import type { Methods, Work, Works } from './work.ts'

/** All works of an engine's transactions, by kind and name. */
export const worksOf = (dialect: SqlDialect, tables: TableStatements, endedOwners: EndedOwners) =>
  bySchema((schema: Schema) => ({
    accounts: accountWorks(dialect),
    audited: auditedWorks(dialect, tables, schema),
    webhooks: webhookWorks(dialect, endedOwners, schema),
    imports: importWorks(dialect, tables, schema),
    model: modelWorks(dialect, tables, schema),
  }))

type DriverWorks = ReturnType<ReturnType<typeof worksOf>>
export type WorkKind = keyof DriverWorks

/** A work by its name, so that another thread can run it. */
export interface NamedWork {
  readonly kind: WorkKind
  readonly name: string
  readonly args: readonly unknown[]
}

/** The work of a name: the caller has checked the types of name and arguments. */
export const namedWork = (works: DriverWorks, { kind, name, args }: NamedWork): Work<unknown> =>
  ((works[kind] as Works)[name] as (...args: readonly unknown[]) => Work<unknown>)(...args)

/** Whether a work may change what the schema is made of. */
export function shapesModel(schema: Schema, { kind, name, args }: NamedWork): boolean {
  const resource = kind === 'audited' && name === 'decide' ? schema.byName.get((args[0] as Intent).resource) : undefined
  return resource !== undefined && concernsRights(schema, resource)
}

interface Audited {
  readonly audited: Methods<DriverWorks['audited']>
}

/** The ports over these works. Those that only read run as they are, the others in a transaction. */
export function portsOver(
  works: DriverWorks,
  owner: string,
  read: (work: NamedWork) => Promise<unknown>,
  write: (work: NamedWork) => Promise<unknown>,
  repeats: OwnIndexes['repeats'],
): Pick<StoreDriver, 'accounts' | 'webhooks' | 'imports' | 'indexes'> & Audited {
  const methods = <All extends Works>(kind: WorkKind, all: All, reads: readonly (keyof All)[]): Methods<All> => {
    const named = Object.keys(all).map((name) => {
      const run = reads.includes(name) ? read : write
      return [name, (...args: readonly unknown[]) => run({ kind, name, args })] as const
    })
    return Object.fromEntries(named) as unknown as Methods<All>
  }
  return {
    audited: methods('audited', works.audited, []),
    accounts: methods('accounts', works.accounts, accountReads),
    webhooks: webhookStore(methods('webhooks', works.webhooks, webhookReads), owner),
    imports: importStore(methods('imports', works.imports, importReads)),
    indexes: { ...methods('model', works.model, []), repeats },
  }
}
