import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** A real proxy with the recipe that is shipped; only names, ports, certificate and the place of the log are others. */
export interface RunningProxy {
  readonly url: string
  /** The lines of its access log. */
  log(): string
  /** What else it told. */
  complaints(): string
  close(): Promise<void>
}

export const proxies = ['nginx', 'caddy'] as const
export type ProxyName = (typeof proxies)[number]

export const isInstalled = (name: ProxyName): boolean =>
  spawnSync(name, [name === 'nginx' ? '-v' : 'version']).status === 0

const recipe = (file: string): string => readFileSync(new URL(`../../deploy/proxy/${file}`, import.meta.url), 'utf8')

export async function runProxy(
  name: ProxyName,
  folder: string,
  port: number,
  instances: readonly number[],
): Promise<RunningProxy> {
  mkdirSync(folder, { recursive: true })
  certify(folder)
  const child = name === 'nginx' ? startNginx(folder, port, instances) : startCaddy(folder, port, instances)
  let told = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      told += chunk
    })
  }
  const last = (): boolean => child.kill('SIGKILL')
  process.once('exit', last)
  const exited = once(child, 'exit')
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${name} did not start: ${told}`)
  }
  return {
    url: `https://localhost:${port}`,
    log: () => (name === 'nginx' ? readFileSync(join(folder, 'access.log'), 'utf8') : told),
    complaints: () =>
      told
        .split('\n')
        .filter((line) => /reset|prematurely|timed out/.test(line))
        .slice(-5)
        .join('\n'),
    async close() {
      child.kill('SIGTERM')
      await exited
      process.off('exit', last)
    },
  }
}

function certify(folder: string): void {
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...key, ...names, ...files], { stdio: 'pipe' })
}

function startNginx(folder: string, port: number, instances: readonly number[]): ChildProcess {
  const servers = instances.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`).join(' ')
  const site = replaced(recipe('nginx.conf'), [
    [/server 127\.0\.0\.1:8080 max_fails=1 fail_timeout=2s;/, servers],
    // The server that leads from http to https is not tried.
    [/listen 80;\n *listen \[::\]:80;/, `listen unix:${folder}/plain.sock;`],
    [/listen 443 ssl http2;\n *listen \[::\]:443 ssl http2;/, `listen 127.0.0.1:${port} ssl http2;`],
    [/\/etc\/ssl\/deals\.example\.com\.pem/, join(folder, 'certificate.pem')],
    [/\/etc\/ssl\/deals\.example\.com\.key/, join(folder, 'key.pem')],
    [/\/var\/log\/nginx\/dealdesk\.log/, join(folder, 'access.log')],
    [/deals\.example\.com;\n *ssl/, 'localhost;\n  ssl'],
  ])
  writeFileSync(join(folder, 'site.conf'), site)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder};`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    // As root its workers are nobody, who may not look into the folder.
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/pid; error_log stderr warn;
events {} http { ${paths.join(' ')} include ${folder}/site.conf; }`,
  )
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'pipe', 'pipe'] })
}

function startCaddy(folder: string, port: number, instances: readonly number[]): ChildProcess {
  const certificate = `tls ${folder}/certificate.pem ${folder}/key.pem`
  const site = replaced(recipe('Caddyfile'), [[/^\{\$DESK_HOST[^\n]*\n/m, (head: string) => `${head}${certificate}\n`]])
  writeFileSync(join(folder, 'Caddyfile'), `{\nadmin off\nauto_https disable_redirects\n}\n${site}`)
  return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: {
      ...process.env,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      DESK_HOST: `https://localhost:${port}`,
      DESK_UPSTREAMS: instances.map((each) => `127.0.0.1:${each}`).join(' '),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

type Replacement = readonly [RegExp, string | ((found: string) => string)]

/** Each must be there, or the recipe that is tried would not be the one that is shipped. */
function replaced(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((sofar, [pattern, by]) => {
    if (!pattern.test(sofar)) throw new Error(`the recipe has no ${pattern}`)
    return typeof by === 'string' ? sofar.replace(pattern, () => by) : sofar.replace(pattern, by)
  }, text)
}

async function isListening(port: number): Promise<boolean> {
  const { connect } = await import('node:net')
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (is: boolean) => () => {
      socket.destroy()
      // The next try comes after whatever waits, so that the proxy gets its turn.
      setTimeout(resolve, 20, is)
    }
    socket.once('connect', end(true)).once('error', end(false))
  })
}

/** A port that nobody listens at now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
