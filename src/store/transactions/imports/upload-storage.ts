import type { Schema } from '../../../model/declaration/schema.ts'
import type { Intent } from '../../../model/intent/intent.ts'
import type { UndoFacts, Upload } from '../../../model/nouns/imports/upload.ts'
import { linksTo } from '../../../model/schema/resources.ts'
import type { AskedOperation } from '../../../model/source/asked.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { uploadRows } from '../../rows/audited/upload.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import type { Found, Storage } from '../storage.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import { changedSince } from './changed-since.ts'
import { importStatements } from './statements.ts'
import { trimUploads } from './trim-uploads.ts'
import { undoImports } from './undo-import.ts'

interface UploadChange {
  readonly after: Upload
  readonly intent: Intent
}

/** The operations of users on their uploaded files. A run over a file is not an operation, but has a lease. */
export function uploadStorage(dialect: SqlDialect, tables: TableStatements, schema: Schema): Storage {
  const sql = importStatements(dialect)
  const { trim, removeAll } = trimUploads(dialect, tables, schema)
  const undo = undoImports(dialect, tables, schema)
  const since = changedSince(dialect, schema)
  return {
    *find({ target, change }): Work<Found> {
      if (!isUuid(String(target))) return {}
      const [, [row] = []] = yield* askAll([bind(sql.LOCK, String(target)), bind(sql.FIND, String(target))])
      const thing = row && uploadRows.read(row)
      const isUndo = (change as AskedOperation).action === 'undo'
      return { thing, known: thing !== undefined && isUndo && hasRows(thing) ? yield* undoFacts(thing) : {} }
    },
    effects: {
      /** Removes ended uploads, and the oldest of an owner beyond a few. */
      *create({ after }: UploadChange): Work<undefined> {
        const { id, owner, resource, name, createdAt, endsAt } = after
        yield* trim(createdAt)
        yield* removeAll(yield* ask(sql.SURPLUS, owner ?? ''))
        yield* ask(sql.ADD, id, owner ?? '', resource, name, createdAt, endsAt)
      },
      *change({ after }: UploadChange): Work<undefined> {
        const { id, matching, size, endsAt, found } = after
        yield* ask(sql.MATCH, id, matching, size, endsAt, found)
        yield* ask(sql.FORGET_PIECES, id, 'rejected')
      },
      *remove({ after }: UploadChange): Work<undefined> {
        yield* ask(sql.FORGET_ALL_PIECES, after.id)
        yield* ask(sql.LEAVE, after.id, new Date().toISOString())
      },
      *undo({ after, intent: { actor, key } }: UploadChange): Work<undefined> {
        yield* undo(after.id, { actor, key })
      },
    },
  }

  /** Whether there may be something to undo: only then are its things looked at. */
  function hasRows({ stage, work, isRunning }: Upload): boolean {
    return !isRunning && (stage === 'done' || work === 'importing')
  }

  /** Nothing that an import touched, or that could refer to it, changes before the transaction ends. */
  function* undoFacts({ id }: Upload): Work<UndoFacts> {
    // Links first: who links to a thing waits for its table with that lock.
    yield* askAll(
      tables.awaitLinks(schema.resources.filter((each) => linksTo(each).length > 0).map(({ name }) => name)),
    )
    yield* askAll(tables.lock(schema.resources.map(({ plural }) => plural)))
    const { things, isTrimmed } = yield* since(id)
    return { since: things, isTrimmed }
  }
}
