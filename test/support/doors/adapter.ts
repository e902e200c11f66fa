import type { Sample } from '../../../src/http/contract/sample.ts'
import type { Key } from '../../../src/model/declaration/resource.ts'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import type { TestService } from '../service/running-service.ts'

/** A door as the matrix uses it. */
export interface DoorAdapter {
  /** The name of the door, which events have as their form. */
  readonly door: string
  /** Asks for an operation through the door, with whatever parameters. Under the sample's command id, unless it is empty. */
  readonly perform: (service: TestService, sample: DoorSample) => Promise<Told>
  /** The thing, as the door shows it to who reads it. */
  readonly read: (service: TestService, resource: Resource, id: Key) => Promise<Shown>
}

export type Shown = { readonly [field: string]: unknown }

export interface DoorSample extends Omit<Sample, 'params'> {
  readonly params: { readonly [name: string]: unknown }
  readonly expectedRevision?: number
  readonly dryRun?: boolean
  /** What stands around the content. */
  readonly query?: string
  readonly headers?: { readonly [name: string]: string }
}

/** What the content says of the write itself. */
export const saidIn = ({ command, expectedRevision, dryRun }: DoorSample): object => ({
  ...(command !== '' && { commandId: command }),
  ...(expectedRevision !== undefined && { expectedRevision }),
  ...(dryRun !== undefined && { dryRun }),
})

/** What comes back, whichever the protocol: the thing, null if it is gone for good, or the problem. */
export type Told = { readonly thing: Shown | null } | { readonly problem: { readonly [member: string]: unknown } }
