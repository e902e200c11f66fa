import { addKey, addUser } from '../../access/manage.ts'
import { BadSetting, type Settings } from '../../config.ts'
import { openStore } from '../../store/open.ts'
import type { Credential, CredentialKind, Credentials } from '../../store/port/credentials.ts'
import { isRole, type Role, roles } from '../../values/role.ts'
import { readPassword } from '../read-password.ts'
import { shownAddress } from '../shown-address.ts'
import type { Terminal } from '../terminal.ts'

type StoreSettings = Pick<Settings, 'databaseUrl' | 'currency'>

/** `user add NAME --role admin` */
export async function userAdd(where: StoreSettings, name: string, role: string, terminal: Terminal): Promise<void> {
  const known = knownRole(role)
  const password = await readPassword(terminal)
  const outcome = await withCredentials(where, terminal, (credentials) =>
    addUser(credentials, { name, role: known, password, now: new Date().toISOString() }),
  )
  if ('fault' in outcome) throw new BadSetting(outcome.fault)
  terminal.notes.write(`added the user ${outcome.added} as ${known}\n`)
}

/** `key add NAME --role reader`: standard output gets the key alone, so that it can be piped. */
export async function keyAdd(where: StoreSettings, name: string, role: string, terminal: Terminal): Promise<void> {
  const known = knownRole(role)
  const outcome = await withCredentials(where, terminal, (credentials) =>
    addKey(credentials, { name, role: known, now: new Date().toISOString() }),
  )
  if ('fault' in outcome) throw new BadSetting(outcome.fault)
  terminal.output.write(`${outcome.key}\n`)
  terminal.notes.write('this is the only time that the key is shown\n')
}

/** `user list`, `key list` */
export async function credentialList(where: StoreSettings, kind: CredentialKind, terminal: Terminal): Promise<void> {
  const all = await withCredentials(where, terminal, (credentials) => credentials.list(kind))
  terminal.output.write(all.map(listed).join(''))
}

/** `user remove NAME`, `key remove NAME` */
export async function credentialRemove(
  where: StoreSettings,
  kind: CredentialKind,
  name: string,
  terminal: Terminal,
): Promise<void> {
  const removed = await withCredentials(where, terminal, (credentials) => credentials.remove(kind, name))
  if (!removed) throw new BadSetting(`there is no ${kind} called ${name}`)
  terminal.notes.write(`removed the ${kind} ${name}; a running service lets it go within two seconds\n`)
}

const listed = ({ name, role, createdAt }: Credential): string => `${name}\t${role}\t${createdAt}\n`

function knownRole(role: string): Role {
  if (isRole(role)) return role
  throw new BadSetting(`--role ${role} is not usable: expected ${roles.join(', ')}`)
}

async function withCredentials<T>(
  where: StoreSettings,
  { notes }: Terminal,
  work: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  const store = await openStore(where, (cause) => {
    throw cause
  })
  try {
    if (store.opening.isNew) notes.write(`made a new database, ${shownAddress(where.databaseUrl)}\n`)
    for (const note of store.opening.notes) notes.write(`${note}\n`)
    return await work(store.credentials)
  } finally {
    await store.close()
  }
}
