/** Whether an address is one of PostgreSQL; any other is the path of a file. */
export const isPostgres = (address: string): boolean => /^postgres(ql)?:/.test(address)

/**
 * The hosts of a PostgreSQL address, each as a separate address: `postgres://user@one:5432,two:5432/deals` names a
 * primary and its standbys, as in libpq.
 */
export function databaseHosts(address: string): readonly string[] {
  const [, before = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^/]*@)?)([^/?]*)(.*)$/i.exec(address) ?? []
  return hosts.split(',').map((host) => before + host + rest)
}
