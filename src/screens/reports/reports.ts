import { activity } from './declared/activity.ts'
import { conversion } from './declared/conversion.ts'
import { forecast } from './declared/forecast.ts'
import { pipeline } from './declared/pipeline.ts'
import { targets } from './declared/targets.ts'
import { timeInStage } from './declared/time-in-stage.ts'
import { wonAndLost } from './declared/won-and-lost.ts'
import type { Report } from './report.ts'

/** Every report, in the order in which people see them. */
export const reports: readonly Report[] = [pipeline, forecast, wonAndLost, targets, conversion, timeInStage, activity]
