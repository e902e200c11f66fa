import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Demo {
  readonly url: string
  stop(): Promise<void>
}

/** A service with the sample data, which is gone when it stops. */
export async function startDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-pictures-'))
  const service = spawn(process.execPath, ['src/start.js', '--demo'], {
    env: { ...process.env, PORT: '0', DATABASE_URL: join(folder, 'dealdesk.db') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async (): Promise<void> => {
    service.kill()
    await once(service, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  for await (const text of service.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    const [, url] = /^Dealdesk is ready at (\S+)/m.exec(String(text)) ?? []
    if (url !== undefined) return { url, stop }
  }
  throw new Error('the service did not start')
}
