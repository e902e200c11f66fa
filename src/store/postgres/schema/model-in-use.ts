import type { Resource, Schema, SchemaSource } from '../../../model/declaration/schema.ts'
import { buildSchema, laterSchema } from '../../../model/schema/build-schema.ts'
import { follow } from '../../../work/follow.ts'
import { oneAfterAnother } from '../../one-after-another.ts'
import type { SchemaInUse } from '../../port/store.ts'
import { lastEvent, openedAt } from '../../rows/event.ts'
import { KEEP_OWN_INDEX, ownIndexes } from '../../rows/own-indexes.ts'
import { thingColumns } from '../../rows/things.ts'
import { statementIn } from '../../sql/dialect.ts'
import { READ_MODEL, READ_MODEL_VERSION, readModel } from '../../transactions/model/stored-model.ts'
import type { DecidingSettings } from '../../transactions/write/deciding.ts'
import type { Connections } from '../connect/connections.ts'
import { ModelBehind } from '../connect/faults.ts'
import { postgres } from '../sql/dialect.ts'
import { newWriteGate } from './write-gate.ts'

/** Milliseconds between two looks at the model, which another instance may have changed. */
const FOLLOW = 400
/** A write that meets more changes of the model in a row is refused. */
const MOST_TRIES = 20

/** The model that this instance writes by: the stored one, as soon as it knows of a change. */
export interface ModelInUse {
  readonly schemas: SchemaInUse
  /** For the writes that begin now. */
  settings(): DecidingSettings
  /** Runs a write by the stored model: again if another instance has changed it meanwhile. */
  byStoredModel<T>(write: () => Promise<T>): Promise<T>
  /** Everything decided under one schema is written before anything is decided under the next. */
  readonly gate: ReturnType<typeof newWriteGate>
  close(): void
}

interface ModelSettings {
  readonly currency: string
  /** That of the schema that it opens with; by default the stored one. */
  readonly source?: SchemaSource
}

/** Opens it with the stored model, which it follows until it is closed. */
export async function openModel(
  connections: Pick<Connections, 'read' | 'write'>,
  { currency, source: given }: ModelSettings,
): Promise<ModelInUse> {
  const gate = newWriteGate()
  let settings = await settingsBy(buildSchema(given ?? (await storedSource())))
  const catchUp = oneAfterAnother(async () => {
    const [[version] = []] = await connections.read(MODEL_VERSION, [])
    if (Number(version ?? 0) <= settings.schema.version) return
    const source = await storedSource()
    const later = buildSchema(source)
    await keepIndexes(later)
    const next = await settingsBy(later)
    // Decisions by an earlier model are written by now, or refused.
    await gate.alone(async () => {
      if (source.version > settings.schema.version) settings = next
    })
  })
  const following = follow({
    step: catchUp,
    pace: { first: FOLLOW, look: FOLLOW },
    // No news while the database cannot be reached.
    onFault: () => {},
  })

  return {
    gate,
    schemas: {
      get current() {
        return settings.schema
      },
      async adopt(source) {
        await gate.alone(async () => {
          const schema = laterSchema(settings.schema, source)
          await Promise.all(schema.resources.map((each) => connections.read({ text: noneOf(each) }, [])))
          await keepIndexes(schema)
          settings = await settingsBy(schema)
        })
      },
      catchUp,
    },
    settings: () => settings,
    async byStoredModel(write) {
      for (let tries = 0; ; tries++) {
        try {
          return await write()
        } catch (cause) {
          if (!(cause instanceof ModelBehind) || tries === MOST_TRIES) throw cause
          await catchUp()
        }
      }
    },
    close: () => void following.close(),
  }

  async function settingsBy(schema: Schema): Promise<DecidingSettings> {
    return { schema, defaults: { currency }, opened: openedAt(await connections.read(LAST, [])) }
  }

  async function storedSource(): Promise<SchemaSource> {
    return readModel((await connections.read(MODEL, []))[0] ?? [])
  }

  /** The indexes of a schema are kept before its first write. */
  async function keepIndexes(schema: Schema): Promise<void> {
    for (const index of ownIndexes(schema)) await connections.write(KEEP_INDEX, index)
  }
}

/** Fails if the table lacks a column. */
const noneOf = (resource: Resource): string =>
  `SELECT ${thingColumns(resource).join(', ')} FROM ${resource.plural} LIMIT 0`

const MODEL = statementIn(postgres, READ_MODEL)
const MODEL_VERSION = statementIn(postgres, READ_MODEL_VERSION)
const KEEP_INDEX = statementIn(postgres, { text: KEEP_OWN_INDEX })
const LAST = statementIn(postgres, lastEvent)
