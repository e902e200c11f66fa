import type { ImportRefusal } from '../../../model/declaration/refusal.ts'
import type { Upload } from '../../../model/nouns/imports/upload.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call } from '../../contract/endpoint.ts'
import { refusalProblem } from '../../contract/problems/refusals.ts'
import { accepted } from '../../contract/success.ts'
import { answerWrite, type WriteResult } from '../../respond/answer-write.ts'
import { superfluousBody } from '../../write/intent.ts'
import { findImport, importDocument, startRun } from './addressed-import.ts'

/** Imports a file in the background, or continues an import that stopped. */
export async function run(call: Call): Promise<Answer> {
  const found = await findImport(call)
  if ('problem' in found) return found
  const superfluous = call.fields === undefined ? superfluousBody(call) : undefined
  if (superfluous !== undefined) return superfluous
  const { upload, resource } = found
  const refusal = whyNot(upload)
  if (refusal !== undefined) return { problem: refusalProblem(refusal, call.schema) }
  const work = upload.stage === 'failed' && upload.work === 'checking' ? 'checking' : 'importing'
  await startRun(upload, work, resource, call)
  const done = await showImport(upload, false, call)
  return answerWrite(accepted('imports', 'The import begins.'), { ...done, dryRun: false }, call)
}

/** Another tab may have begun it: that is as good. */
function whyNot({ stage, work, matching, isRunning }: Upload): ImportRefusal | undefined {
  if ((isRunning && work === 'importing') || stage === 'done') return undefined
  if (stage === 'ready') return undefined
  return stage === 'failed' && work !== 'uploading' && matching !== null ? undefined : { code: 'not-ready', stage }
}

/** The import after a write. */
export async function showImport(
  { id }: Pick<Upload, 'id'>,
  dryRun: boolean,
  call: Call,
): Promise<Omit<WriteResult, 'dryRun'>> {
  const document = await importDocument(id, call)
  if (document === undefined) throw new Error(`import ${id} is gone`)
  const address = call.service.addresses.import(id)
  return { document: () => document, ...(!dryRun && { shown: { screen: 'import' }, address, next: address }) }
}
