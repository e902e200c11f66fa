import { connect } from '../../client.ts'
import type { Settings } from '../../config.ts'
import type { AddedField } from '../../model/build/added-field.ts'
import { buildSchema, NOTHING_ADDED } from '../../model/build/build-schema.ts'
import type { Resource } from '../../model/schema.ts'
import { ownName } from '../../values/json/own.ts'
import { reachedAt } from '../../values/shown-address.ts'
import { typeText } from '../../values/type-text.ts'
import { exitCodes, Failure } from '../failure.ts'
import { openTarget } from '../target.ts'

interface TypesOptions {
  readonly service?: string
  readonly force?: boolean
}

/** Writes the types of a service's added fields; returns the exit code. */
export async function writeTypes(
  settings: Settings,
  file: string | undefined,
  { service, force = false }: TypesOptions,
): Promise<number> {
  const address = (service ?? `http://${reachedAt(settings)}`).replace(/\/$/, '')
  const fields = await fieldsOf(address)
  const target = await openTarget(settings, file, force)
  try {
    await target.write(typesOf(fields))
    await target.keep()
  } finally {
    await target.close()
  }
  return exitCodes.fine
}

async function fieldsOf(address: string): Promise<readonly AddedField[]> {
  const key = process.env.DEALDESK_KEY
  const { fields } = connect(address, { retries: 0, ...(key !== undefined && { auth: { key } }) })
  try {
    return (await Array.fromAsync(fields.list())) as unknown as readonly AddedField[]
  } catch (cause) {
    throw new Failure(`${address} does not tell its fields: ${(cause as Error).message}`, { cause })
  }
}

/** A resource without added fields is left out: its things have no `own`. */
function typesOf(fields: readonly AddedField[]): string {
  const { resources } = buildSchema({ ...NOTHING_ADDED, version: 1, fields })
  const members = resources.filter(({ added }) => added.length > 0).map(memberOf)
  return `// Written by \`dealdesk types\`.\n\n/** The fields that admins added, for \`connect<OwnFields>(…)\`. */\nexport interface OwnFields {\n${members.join('')}}\n`
}

const memberOf = ({ name, added }: Resource): string =>
  `  readonly ${name}: {\n${added.map(({ name: field, field: { kind } }) => `    readonly ${ownName(field)}: ${typeText(kind.schema)}\n`).join('')}  }\n`
