const ANYWHERE = 'http://local.invalid'

/** A path of this service, with its query; undefined for anything that could lead elsewhere. */
export function localPath(given: string | undefined): string | undefined {
  if (given === undefined || !given.startsWith('/') || /[\\\u0000-\u0020]/.test(given)) return undefined
  const url = URL.parse(given, ANYWHERE)
  return url !== null && url.origin === ANYWHERE && !url.pathname.startsWith('//')
    ? url.pathname + url.search
    : undefined
}
