export const isFile = (address: string): boolean => !/^postgres(ql)?:/.test(address)

/** A database's address without the password. */
export function shownAddress(address: string): string {
  if (isFile(address)) return address
  const url = URL.parse(address)
  return url === null ? address.replace(/\/\/.*@/, '//') : `${url.protocol}//${url.host}${url.pathname}`
}
