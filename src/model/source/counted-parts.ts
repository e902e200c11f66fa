import type { Json } from '../../values/json/json.ts'
import type { AskedAttributes, AskedOperation } from './asked.ts'

/**
 * How things of another resource are in parts of a thing, as deals are in the stages of a pipeline, or things have the
 * choices of a field. The thing is an item of the model.
 */
export interface CountedParts<Name extends string = string> {
  /** The field that lists the parts. */
  readonly listed: Name
  placesOf(item: object): PartPlaces
  /** Whether a change with these members may take away a part without saying where its things go: they are counted. */
  mayLeave(item: object, sent: object): boolean
  /** The moves out of parts that are being removed. */
  moves(item: object): readonly PartMoves[]
  /** The change of the thing itself when all have moved. */
  afterwards(item: object): AskedOperation
  /** The fields whose change began the moves: they are done by the one who made it. */
  readonly begunBy: readonly Name[]
}

/** Where the things in the parts of one thing are. */
export interface PartPlaces {
  /** Their resource. */
  readonly on: string
  /** The values that they have in some fields, whatever the part. */
  readonly within: { readonly [field: string]: string }
  /** The field that names the part, or several. */
  readonly part: string
}

/** The things in one part leave it. */
export interface PartMoves {
  /** The fields of the other resource that name the part. */
  readonly from: { readonly [field: string]: string }
  /** The change of a thing; `found` are its values in these fields, as documents show them. */
  change(found: readonly Json[]): AskedOperation | AskedAttributes
}
