/** A thing of another resource, as a cell names it: by its reference, its e-mail address or its exact name. */
export interface ThingName {
  readonly thingName: string
}

export const isThingName = (value: unknown): value is ThingName =>
  typeof value === 'object' && value !== null && 'thingName' in value
