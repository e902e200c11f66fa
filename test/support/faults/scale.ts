/** `npm run test:long -- faults` runs each scenario at its full size, the suite a short form of it. */
const isFull = process.env.FAULT_KIT === 'full'

export const sized = <T>(short: T, full: T): T => (isFull ? full : short)
