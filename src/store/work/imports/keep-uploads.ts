import { type UndoFacts, type Upload, uploadOperations } from '../../../model/imports/upload.ts'
import { isTheirs, managedNamed } from '../../../model/managed/decide-managed.ts'
import type { ManagedIntent } from '../../../model/managed/managed-operation.ts'
import { linksTo } from '../../../model/resources.ts'
import type { Schema } from '../../../model/schema.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { uploadRows } from '../../rows/managed/upload.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { type Keeper, missing } from '../keeper.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import { changedSince } from './changed-since.ts'
import { importStatements } from './statements.ts'
import { trimUploads } from './trim-uploads.ts'
import { undoImports } from './undo-import.ts'

/** The operations of users on their uploaded files. A run over a file is not an operation, but has a lease. */
export function uploadKeeper(dialect: SqlDialect, tables: TableStatements, schema: Schema): Keeper {
  const sql = importStatements(dialect)
  const resource = managedNamed(schema, 'import')
  const { trim, removeAll } = trimUploads(dialect, tables, schema)
  const undo = undoImports(dialect, tables, schema)
  const since = changedSince(dialect, schema)
  return {
    *find({ target: { id }, manager, operation }) {
      if (id === undefined) return { owner: manager.actor }
      const [, [row] = []] = isUuid(id) ? yield* askAll([bind(sql.LOCK, id), bind(sql.FIND, id)]) : []
      const upload = row && uploadRows.read(row)
      if (upload === undefined || !isTheirs(resource, upload, manager)) return missing(resource.name, id)
      return operation === uploadOperations.undo.name && hasRows(upload) ? yield* undoFacts(upload) : upload
    },
    keep: {
      /** Removes ended uploads, and the oldest of an owner beyond a few. */
      *create(upload: Upload): Work<Upload> {
        const { id, owner, resource, name, createdAt, endsAt } = upload
        yield* trim(createdAt)
        yield* removeAll(yield* ask(sql.SURPLUS, owner ?? ''))
        yield* ask(sql.ADD, id, owner ?? '', resource, name, createdAt, endsAt)
        return upload
      },
      *change(upload: Upload): Work<Upload> {
        const { id, matching, size, endsAt, found } = upload
        yield* ask(sql.MATCH, id, matching, size, endsAt, found)
        yield* ask(sql.FORGET_PIECES, id, 'rejected')
        return upload
      },
      *remove(upload: Upload): Work<Upload> {
        yield* ask(sql.FORGET_ALL_PIECES, upload.id)
        yield* ask(sql.LEAVE, upload.id, new Date().toISOString())
        return upload
      },
      *undo(upload: Upload, { author: { actor, key } }: ManagedIntent): Work<Upload> {
        yield* undo(upload.id, { actor, key: key ?? undefined })
        return upload
      },
    },
  }

  /** Whether there may be something to undo: only then are its things looked at. */
  function hasRows({ stage, work, isRunning }: Upload): boolean {
    return !isRunning && (stage === 'done' || work === 'importing')
  }

  /** Nothing that an import touched, or that could refer to it, changes before the transaction ends. */
  function* undoFacts(upload: Upload): Work<UndoFacts> {
    // Links first: who links to a thing waits for its table with that lock.
    yield* askAll(
      tables.awaitLinks(schema.resources.filter((each) => linksTo(each).length > 0).map(({ name }) => name)),
    )
    yield* askAll(tables.lock(schema.resources.map(({ plural }) => plural)))
    const { things, isTrimmed } = yield* since(upload.id)
    return { ...upload, since: things, isTrimmed }
  }
}
