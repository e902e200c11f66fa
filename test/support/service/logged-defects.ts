/** What a service logged but the requests that took long, as they do on a busy machine: tests see their answers. */
export const loggedDefects = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => !/"msg":"(?:answered|the client left)"/.test(line))
    .join('\n')
