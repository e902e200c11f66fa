import { addKey } from '../../../src/access/as-operator.ts'
import { type Role, roles } from '../../../src/values/role.ts'
import { putUser } from '../things/audited.ts'
import { quickHash } from './quick-hash.ts'
import { runService, type TestService } from './running-service.ts'

/** A service with a user and a key of each role, named after it: the password of `admin` is `password of admin`. */
export interface ClosedService extends TestService {
  readonly keys: Readonly<Record<Role, string>>
}

export const runClosedService = async (environment?: { readonly [name: string]: string }): Promise<ClosedService> =>
  withRoles(await runService(environment))

export async function withRoles(service: TestService): Promise<ClosedService> {
  const keys: Partial<Record<Role, string>> = {}
  for (const role of roles) {
    await putUser(service.store, { name: role, role, hash: quickHash(`password of ${role}`) })
    const made = await addKey(service.store, { name: `${role}-key`, role })
    if ('fault' in made) throw new Error(made.fault.code)
    keys[role] = made.key
  }
  return { ...service, keys: keys as Record<Role, string> }
}

export const basic = (name: string, password = `password of ${name}`) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
