/** The settings of a service whose tests are not about overload: a busy machine is none. */
export const unhurried = { MAX_LOOP_DELAY: '60000' }
