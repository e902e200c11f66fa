import { addKey, addUser, performAsOperator } from '../../access/as-operator.ts'
import { hashPassword } from '../../access/password.ts'
import { BadSetting, type Settings } from '../../config.ts'
import { tell } from '../../languages/tell.ts'
import type { ApiKey } from '../../model/nouns/user/key.ts'
import { newPassword } from '../../model/nouns/user/password.ts'
import type { User, UserPatch } from '../../model/nouns/user/user.ts'
import { openStore, requireDatabase } from '../../store/open.ts'
import type { Accounts } from '../../store/port/accounts.ts'
import type { Store } from '../../store/port/store.ts'
import { instant } from '../../values/kinds/time.ts'
import { includesRole, isRole, type Role } from '../../values/role.ts'
import { shownAddress } from '../../values/shown-address.ts'
import { tellFault } from '../failure.ts'
import { readPassword } from '../read-password.ts'
import type { Terminal } from '../terminal.ts'

type StoreSettings = Pick<Settings, 'databaseUrl' | 'currency'>

interface NewUser {
  readonly role: Role
  /** Makes the database where there is none: an address that others reach is not served without a user. */
  readonly newDatabase?: boolean
}

/** `user add NAME --role admin` */
export async function userAdd(
  where: StoreSettings,
  name: string,
  { role, newDatabase = false }: NewUser,
  terminal: Terminal,
): Promise<void> {
  if (!newDatabase) requireDatabase(where)
  const password = await readPassword(terminal)
  const outcome = await withStore(where, terminal, (store) => addUser(store, { name, role, password }), newDatabase)
  if ('fault' in outcome) throw new BadSetting(tellFault(outcome.fault))
  terminal.notes.write(`added the user ${outcome.added} as ${role}\n`)
}

/** `user passwd NAME`: ends all sessions of the user. */
export async function userPasswd(where: StoreSettings, name: string, terminal: Terminal): Promise<void> {
  requireDatabase(where)
  const password = newPassword.read(await readPassword(terminal))
  if ('fault' in password) throw new BadSetting(`the password ${tell(password.fault)}`)
  const hash = await hashPassword(password.value)
  await manageUser(where, 'setPassword', name, { password: password.value }, terminal, () => ({ hash }))
  terminal.notes.write(`set the password of ${name}; all sessions have ended\n`)
}

/** `user role NAME ROLE` */
export async function userRole(where: StoreSettings, name: string, role: Role, terminal: Terminal): Promise<void> {
  await manageUser(where, 'change', name, { role }, terminal)
  terminal.notes.write(`${name} is ${role} now\n`)
}

/** `user disable NAME`, `user enable NAME` */
export async function userDisable(
  where: StoreSettings,
  name: string,
  disabled: boolean,
  terminal: Terminal,
): Promise<void> {
  await manageUser(where, 'change', name, { disabled }, terminal)
  terminal.notes.write(`${name} ${disabled ? 'cannot sign in any more' : 'can sign in again'}\n`)
}

/** `key add NAME --role reader`: standard output has only the key, so that it can be piped. */
export async function keyAdd(
  where: StoreSettings,
  name: string,
  { role, user, expires }: { readonly role: Role; readonly user?: string; readonly expires?: string },
  terminal: Terminal,
): Promise<void> {
  const endsAt = expires === undefined ? undefined : endOf(expires)
  const outcome = await withStore(where, terminal, async (store) => {
    if (user !== undefined) await requireRole(store.accounts, user, role)
    return addKey(store, { name, role, ...(user && { user }), ...(endsAt && { endsAt }) })
  })
  if ('fault' in outcome) throw new BadSetting(tellFault(outcome.fault))
  terminal.output.write(`${outcome.key}\n`)
  terminal.notes.write('this is the only time that the key is shown\n')
}

/** A key's role is at most its user's. */
async function requireRole(accounts: Accounts, user: string, role: Role): Promise<void> {
  const found = await accounts.find(user)
  if (found === undefined) throw noUser(user)
  const most = found.user.role
  if (isRole(most) && !includesRole(most, role))
    throw new BadSetting(`--role must be at most ${most}, the role of ${user}`)
}

/** `user list`, `key list` */
export async function credentialList(where: StoreSettings, kind: 'user' | 'key', terminal: Terminal): Promise<void> {
  const all = await withStore(
    where,
    terminal,
    async ({ accounts }): Promise<readonly (User | ApiKey)[]> => (kind === 'user' ? accounts.users() : accounts.keys()),
  )
  const lines = all.map((each) => {
    const isDisabled = 'disabled' in each && each.disabled
    const until = 'endsAt' in each && each.endsAt !== null ? `\tuntil ${each.endsAt}` : ''
    return `${'user' in each ? pathOf(each) : each.name}\t${each.role}\t${each.createdAt}${isDisabled ? '\tdisabled' : ''}${until}\n`
  })
  terminal.output.write(lines.join(''))
}

/** `user remove NAME`, `key remove NAME`, `key remove USER/NAME` */
export async function credentialRemove(
  where: StoreSettings,
  kind: 'user' | 'key',
  name: string,
  terminal: Terminal,
): Promise<void> {
  if (kind === 'user') await manageUser(where, 'remove', name, {}, terminal)
  else await withStore(where, terminal, (store) => removeKey(store, name))
  terminal.notes.write(`removed the ${kind} ${name}; a running service notices within a second\n`)
}

async function removeKey(store: Store, called: string): Promise<void> {
  const { name: key, user } = await keyCalled(called, store.accounts)
  const within = user === null ? {} : { user }
  const outcome = await performAsOperator(store, { on: 'key', operation: 'withdraw', target: key, within })
  if (outcome.kind === 'refused') throw noKey(called)
}

/** A key by its name, if it is unique, or by USER/NAME. */
async function keyCalled(name: string, accounts: Accounts): Promise<ApiKey> {
  const keys = await accounts.keys()
  const exact = keys.find((key) => pathOf(key) === name)
  const [only, ...others] = exact === undefined ? keys.filter((key) => key.name === name) : [exact]
  if (only === undefined) throw noKey(name)
  if (others.length === 0) return only
  const paths = [only, ...others].map(pathOf)
  throw new BadSetting(`there are ${paths.length} keys called ${name}: name one of ${paths.join(', ')}`)
}

const pathOf = ({ name, user }: ApiKey): string => (user === null ? name : `${user}/${name}`)

const noKey = (name: string): BadSetting => new BadSetting(`there is no key called ${name}`)

async function manageUser(
  where: StoreSettings,
  operation: string,
  name: string,
  params: UserPatch & { readonly password?: string },
  terminal: Terminal,
  prepare?: () => unknown,
): Promise<void> {
  const asked = { on: 'user', operation, target: name, params }
  const outcome = await withStore(where, terminal, (store) => performAsOperator(store, asked, prepare))
  if (outcome.kind !== 'refused') return
  if (outcome.refusal.code === 'last-admin') throw new BadSetting(`${name} is the last admin who can sign in`)
  throw noUser(name)
}

const noUser = (name: string): BadSetting => new BadSetting(`there is no user called ${name}`)

/** A date ends the key at the beginning of that day, in UTC. */
function endOf(expires: string): string {
  const read = instant.readText(/^\d{4}-\d{2}-\d{2}$/.test(expires) ? `${expires}T00:00:00Z` : expires)
  if ('fault' in read) throw new BadSetting(`--expires ${expires} is not usable: it must be a date such as 2027-06-30`)
  if (read.value <= new Date().toISOString()) throw new BadSetting(`--expires ${expires} is over`)
  return read.value
}

async function withStore<T>(
  where: StoreSettings,
  { notes }: Terminal,
  work: (store: Store) => Promise<T>,
  mayBeNew = false,
): Promise<T> {
  if (!mayBeNew) requireDatabase(where)
  const store = await openStore(where, (cause) => {
    throw cause
  })
  try {
    if (store.opening.isNew) notes.write(`created a new database, ${shownAddress(where.databaseUrl)}\n`)
    for (const note of store.opening.notes) notes.write(`${note}\n`)
    return await work(store)
  } finally {
    await store.close()
  }
}
