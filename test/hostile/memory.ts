import { existsSync, readFileSync, writeFileSync } from 'node:fs'

// Linux tells what memory a process has, and the most that it had since this was forgotten.

const told = (pid: number, name: 'VmRSS' | 'VmHWM'): number => {
  const status = `/proc/${pid}/status`
  if (!existsSync(status)) return 0
  const [, kilobytes = '0'] = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(status, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** In MiB; 0 where it is not told. */
export const memoryOf = (pid: number): number => told(pid, 'VmRSS')
export const mostMemoryOf = (pid: number): number => told(pid, 'VmHWM')

export function forgetMost(pid: number): void {
  if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
