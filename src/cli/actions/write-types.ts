import { connect } from '../../client.ts'
import type { Settings } from '../../config.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { buildSchema, NOTHING_ADDED } from '../../model/schema/build-schema.ts'
import type { AddedField } from '../../model/source/added-field.ts'
import type { PipelineSource } from '../../model/source/pipeline-source.ts'
import { keyOf } from '../../values/json/places.ts'
import { typeText } from '../../values/kinds/type-text.ts'
import { reachedAt } from '../../values/shown-address.ts'
import { exitCodes, Failure, unreached } from '../failure.ts'
import { openTarget } from '../target.ts'

interface TypesOptions {
  readonly service?: string
  readonly force?: boolean
}

/** Writes the types of a service's added fields and pipelines; returns the exit code. */
export async function writeTypes(
  settings: Settings,
  file: string | undefined,
  { service, force = false }: TypesOptions,
): Promise<number> {
  const address = (service ?? `http://${reachedAt(settings)}`).replace(/\/$/, '')
  const model = await modelOf(address)
  const target = await openTarget(settings, file, force)
  try {
    await target.write(typesOf(model))
    await target.keep()
  } finally {
    await target.close()
  }
  return exitCodes.fine
}

interface ServedModel {
  readonly fields: readonly AddedField[]
  readonly pipelines: readonly PipelineSource[]
}

async function modelOf(address: string): Promise<ServedModel> {
  const key = process.env.DEALDESK_KEY
  const { fields, pipelines } = connect(address, { retries: 0, ...(key !== undefined && { auth: { key } }) })
  try {
    return {
      fields: (await Array.fromAsync(fields.list())) as unknown as readonly AddedField[],
      pipelines: (await Array.fromAsync(pipelines.list({ sort: 'position' }))) as unknown as readonly PipelineSource[],
    }
  } catch (cause) {
    throw new Failure(`${address} does not tell its fields: ${unreached(cause)}`, { cause })
  }
}

/** A resource without added fields is left out: its things have no `own`. */
function typesOf({ fields, pipelines }: ServedModel): string {
  const { resources } = buildSchema({ ...NOTHING_ADDED, version: 1, fields })
  const members = resources.filter(({ added }) => added.length > 0).map(memberOf)
  return `// Written by \`dealdesk types\`.

/** The fields that admins added, and the stages of each pipeline, for \`connect<OwnFields>(…)\`. */
export interface OwnFields {
${members.join('')}${memberText('pipelines', pipelines.map(stagesText))}}
`
}

const memberOf = ({ name, added }: Resource): string =>
  memberText(
    name,
    added.map(({ name: field, field: { kind } }) => `${keyOf(field)}: ${typeText(kind.schema)}`),
  )

const stagesText = ({ name, stages }: PipelineSource): string =>
  `${JSON.stringify(name)}: ${stages.map((stage) => JSON.stringify(stage.name)).join(' | ')}`

const memberText = (name: string, members: readonly string[]): string =>
  `  readonly ${name}: {\n${members.map((member) => `    readonly ${member}\n`).join('')}  }\n`
