import type { Content } from '../store/store.ts'
export const demoContent = (): Content => ({ customers: [], deals: [], events: [], commands: [] })
