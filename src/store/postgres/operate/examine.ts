import type pg from 'pg'
import { buildSchema } from '../../../model/schema/build-schema.ts'
import {
  clockFinding,
  type Examination,
  type ExaminationOptions,
  type Finding,
  fault,
  indexFinding,
  note,
  ok,
  schemaFinding,
} from '../../port/examination.ts'
import { READ_MODEL, readModel } from '../../transactions/model/stored-model.ts'
import { indexChecks } from '../../transactions/model/wrong-indexes.ts'
import { CONNECTIONS } from '../connect/connections.ts'
import { connectPrimary, FIRST_CONNECT_TIMEOUT } from '../connect/primary.ts'
import { asUnusable, encodingFault, FSYNC_OFF } from '../schema/migrate.ts'
import { migrations } from '../schema/migrations.ts'
import { postgres } from '../sql/dialect.ts'

/** The oldest supported release, as `server_version_num` counts. */
const OLDEST = 130_000
/** The tolerated difference in milliseconds between the clocks of two machines. */
const MOST_SKEW = 1000

/** Examines a PostgreSQL database, with or without running instances. */
export async function examinePostgres(
  url: string,
  { isThorough }: ExaminationOptions = { isThorough: false },
): Promise<Examination> {
  let client: pg.Client | undefined
  const ask = async (sql: string) =>
    (await client?.query({ text: sql, rowMode: 'array' }))?.rows[0] as unknown[] | undefined
  try {
    client = await connectPrimary(url, { application_name: 'dealdesk', connectionTimeoutMillis: FIRST_CONNECT_TIMEOUT })
    const asked = Date.now()
    const [release, number, isStandby, most, used, clock, encoding, fsync] = (await ask(server)) ?? []
    const unfit = encodingFault(String(encoding))
    const answered = Date.now()
    const skew = Number(clock) - (asked + answered) / 2
    const findings: Finding[] = [
      Number(number) < OLDEST
        ? fault('database', `PostgreSQL ${release} is too old; 13 or newer is needed`)
        : ok('database', `PostgreSQL ${release}`),
      ...(isStandby ? [fault('database', 'it is read-only, a standby; name the primary in DATABASE_URL')] : []),
      ...(unfit === undefined ? [] : [fault('database', `it ${unfit}`)]),
      ...(fsync === 'off' ? [note('database', FSYNC_OFF)] : []),
      connectionsFinding(Number(most) - Number(used), Number(most)),
      skewFinding(skew, (answered - asked) / 2),
    ]
    const [isOurs] = (await ask("SELECT to_regclass('dealdesk_schema') IS NOT NULL")) ?? []
    if (isOurs !== true) {
      findings.push(note('schema', 'there is none yet; the next start makes it'), ...(await rightsFindings()))
      return { findings, hasUsers: false }
    }
    const [version] = (await ask('SELECT version FROM dealdesk_schema')) ?? []
    findings.push(schemaFinding(Number(version), migrations.length))
    if (Number(version) < migrations.length) findings.push(...(await rightsFindings()))
    // Another schema may have other tables.
    if (Number(version) !== migrations.length) return { findings, hasUsers: undefined }
    const [users, latest] = (await ask(content)) ?? []
    findings.push(clockFinding(latest === null ? undefined : String(latest), new Date(Date.now() + skew)))
    if (isThorough) findings.push(indexFinding(await wrongIndexes()))
    return { findings, hasUsers: users === true }
  } catch (cause) {
    return { findings: [fault('database', asUnusable(cause, url).message)], hasUsers: undefined }
  } finally {
    await client?.end().catch(() => {})
  }

  /** The tables of indexed values that are not as the things give them. */
  async function wrongIndexes(): Promise<readonly string[]> {
    const model = (await ask(READ_MODEL.text)) ?? []
    const wrong: string[] = []
    for (const { table, texts } of indexChecks(postgres, buildSchema(readModel(model)))) {
      for (const text of texts) if (!wrong.includes(table) && (await ask(text)) !== undefined) wrong.push(table)
    }
    return wrong
  }

  /** Migrations create tables, for which connecting is not enough since PostgreSQL 15. */
  async function rightsFindings(): Promise<readonly Finding[]> {
    const [user, schema, mayCreate] = (await ask(rights)) ?? []
    if (mayCreate === true) return []
    return [fault('rights', `${user} may not create tables in ${schema ?? 'any schema'}; make it the database’s owner`)]
  }
}

const server = `SELECT current_setting('server_version'), current_setting('server_version_num')::int, pg_is_in_recovery(),
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
  (SELECT sum(numbackends)::int FROM pg_stat_database),
  extract(epoch FROM clock_timestamp()) * 1000, current_setting('server_encoding'), current_setting('fsync')`

const rights = `SELECT current_user, current_schema(), has_schema_privilege(current_schema(), 'CREATE')`

const content = `SELECT EXISTS (SELECT FROM users), (SELECT at FROM events ORDER BY sequence DESC LIMIT 1)`

function connectionsFinding(free: number, most: number): Finding {
  if (free >= CONNECTIONS) return ok('connections', `${free} of ${most} are free; an instance needs ${CONNECTIONS}`)
  return note('connections', `${free} of ${most} are free, and one more instance needs ${CONNECTIONS}`)
}

/** How long the answer took tells how exactly the difference is known. */
function skewFinding(milliseconds: number, uncertainty: number): Finding {
  const seconds = (milliseconds / 1000).toFixed(1)
  if (Math.abs(milliseconds) <= MOST_SKEW + uncertainty) return ok('skew', 'this clock and the database’s agree')
  return note('skew', `the database’s clock is ${seconds} s from this one; set both by NTP`)
}
