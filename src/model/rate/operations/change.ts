import { defineChange } from '../../field-change.ts'
import { rate } from '../rate.ts'

export const change = defineChange(rate, { noun: 'changes', examples: [{ perUnit: 1.0841 }] })
