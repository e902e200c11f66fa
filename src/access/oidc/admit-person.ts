import type { OidcSettings } from '../../config.ts'
import type { Author } from '../../model/declaration/audit-note.ts'
import type { PreparedUser } from '../../model/nouns/user/operations.ts'
import type { StoredUser } from '../../model/nouns/user/user.ts'
import { user as declared, newActorName } from '../../model/nouns/user/user.ts'
import type { Accounts } from '../../store/port/accounts.ts'
import type { Store } from '../../store/port/store.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { performAsOperator } from '../as-operator.ts'
import { roleOf, wantedNames } from './claims.ts'
import type { IdentifiedPerson } from './provider.ts'

export type NotAdmitted =
  | { readonly refused: 'no-role' }
  | { readonly refused: 'disabled' }
  /** The name is taken: only an admin knows whether both are the same person. */
  | { readonly refused: 'name-taken'; readonly name: string }

type RoleSettings = Pick<OidcSettings, 'roleClaim' | 'roleMap'>

/** The user for a person at the provider; a new one at the first sign-in. decisions/0034 */
export async function admitPerson(
  { accounts, perform }: Pick<Store, 'accounts' | 'perform'>,
  { roleClaim, roleMap }: RoleSettings,
  person: IdentifiedPerson,
  address: string,
): Promise<StoredUser | NotAdmitted> {
  const role = roleOf(person.claims, roleClaim, roleMap)
  const known = await accounts.findIdentified(person)
  const by = { actor: known?.name ?? null, address }
  if (role === undefined) {
    // A person who lost the role at the provider must not continue with an earlier session.
    const ending = { on: 'user', operation: 'endSessions' }
    if (known !== undefined) await performAsOperator({ perform }, { ...ending, target: known.name }, undefined, by)
    return refuse(accounts, { refused: 'no-role' }, known, by, 'the provider gives no role')
  }
  if (known === undefined) return addPerson({ accounts, perform }, person, role, by)
  if (known.disabled) return refuse(accounts, { refused: 'disabled' }, known, by, 'the user is disabled')
  if (known.role === role) return known
  const change = { on: 'user', operation: 'change', target: known.name, params: { role } }
  const outcome = await performAsOperator({ perform }, change, undefined, by)
  // The last admin stays an admin, whatever the provider says.
  return outcome.kind === 'applied' ? (outcome.thing as unknown as StoredUser) : known
}

async function addPerson(
  { accounts, perform }: Pick<Store, 'accounts' | 'perform'>,
  person: IdentifiedPerson,
  role: string,
  by: Author,
): Promise<StoredUser | NotAdmitted> {
  const user = newUser(person, role)
  const { issuer, subject } = person
  const prepare = (): PreparedUser => ({ hash: null, identity: { issuer, subject } })
  const outcome = await performAsOperator({ perform }, { on: 'user', operation: 'create', params: user }, prepare, by)
  if (outcome.kind === 'applied') return outcome.thing as unknown as StoredUser
  // Another request of the same person may have added them meanwhile.
  const added = await accounts.findIdentified(person)
  if (added !== undefined) return added
  const taken = { refused: 'name-taken', name: user.name } as const
  return refuse(accounts, taken, undefined, by, `${person.subject.slice(0, 200)} would be called ${user.name}`)
}

async function refuse(
  accounts: Accounts,
  refusal: NotAdmitted,
  user: StoredUser | undefined,
  by: Author,
  detail: string,
): Promise<NotAdmitted> {
  await accounts.record('sign-in-failed', { user: user?.name ?? null, detail }, by)
  return refusal
}

function newUser({ claims, subject }: IdentifiedPerson, role: string) {
  const readable = <T>(kind: Kind<T>, claim: unknown): T | null => {
    const read = kind.read(claim)
    return 'value' in read ? read.value : null
  }
  const names = wantedNames(claims).map((wanted) => readable(newActorName, asName(wanted)))
  return {
    name: names.find((name) => name !== null) ?? asName(`user-${subject}`),
    role,
    fullName: readable(declared.kinds.fullName, claims.name),
    email: readable(declared.kinds.email, claims.email),
    locale: readable(declared.kinds.locale, claims.locale),
    timeZone: readable(declared.kinds.timeZone, claims.zoneinfo),
  }
}

/** Characters that a name cannot have become hyphens: `anna.smith` would end with an extension. */
const asName = (wanted: string): string =>
  [...wanted.toWellFormed().trim()]
    .slice(0, 64)
    .join('')
    .replace(/[:/\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu, '-')
    .replace(/\.(?=[a-z]\w*$)/i, '-')
