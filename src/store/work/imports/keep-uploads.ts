import type { Upload } from '../../../model/imports/upload.ts'
import { isTheirs, managedNamed } from '../../../model/managed/decide-managed.ts'
import type { Schema } from '../../../model/schema.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { uploadRows } from '../../rows/upload.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { type Keeper, missing } from '../keeper.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, type Work } from '../work.ts'
import { importStatements } from './statements.ts'
import { trimUploads } from './trim-uploads.ts'

/** The operations of users on their uploaded files. A run over a file is not an operation, but has a lease. */
export function uploadKeeper(dialect: SqlDialect, tables: TableStatements, schema: Schema): Keeper {
  const sql = importStatements(dialect)
  const resource = managedNamed(schema, 'upload')
  const { trim, removeAll } = trimUploads(dialect, tables, schema)
  return {
    *find({ target: { id }, manager }) {
      if (id === undefined) return { owner: manager.actor ?? '' }
      const [row] = isUuid(id) ? yield* ask(sql.LOCK, id, new Date().toISOString()) : []
      const upload = row && uploadRows.read(row)
      return upload && isTheirs(resource, upload, manager) ? upload : missing(resource.name, id)
    },
    keep: {
      /** Removes ended uploads, and the oldest of an owner beyond a few. */
      *create(upload: Upload): Work<Upload> {
        const { id, owner, resource, name, createdAt, endsAt } = upload
        yield* trim(createdAt)
        yield* removeAll(yield* ask(sql.SURPLUS, owner))
        yield* ask(sql.ADD, id, owner, resource, name, createdAt, endsAt)
        return upload
      },
      *match(upload: Upload): Work<Upload> {
        const { id, matching, size, endsAt } = upload
        yield* ask(sql.MATCH, id, matching, size, endsAt)
        yield* ask(sql.FORGET_PIECES, id, 'rejected')
        return upload
      },
      *remove(upload: Upload): Work<Upload> {
        yield* removeAll([[upload.id]])
        return upload
      },
    },
  }
}
