import type { WorkloadResult } from './measure.ts'
export const barChart = (_: readonly WorkloadResult[]): string => ''
