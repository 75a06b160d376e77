// What can be imported, for the caller.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Download } from '../../foundation/endpoint.ts'
import { csvOf } from '../../foundation/sheets.ts'
import { writing, type ImportKind, type ImportKindName, type Kind } from './contract.ts'
import { KINDS, templateOf } from './rules.ts'

export async function listImportKinds(tx: BusinessTx): Promise<{ items: ImportKind[] }> {
  return { items: Object.values(KINDS).filter((kind) => tx.actor.permissions.has(writing(kind))).map(wire) }
}

export async function getImportTemplate(kind: ImportKindName): Promise<Download> {
  return new Download('text/csv; charset=utf-8', `${kind}.csv`, Buffer.from(csvOf(templateOf(KINDS[kind]))))
}

function wire({ folded: _folded, group: _group, fields, ...kind }: Kind): ImportKind {
  return { ...kind, fields: fields.map(({ path: _path, reference: _reference, also: _also, ...field }) => field) }
}
