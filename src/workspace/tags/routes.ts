// Tags over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const tagRoutes = [
  on(contract.listTags, (tx, { query }) => operations.listTags(tx, query)),
  on(contract.createTag, (tx, { body }) => operations.createTag(tx, body)),
  on(contract.assignTags, (tx, { body }) => operations.assignTags(tx, body)),
  on(contract.unassignTags, (tx, { body }) => operations.unassignTags(tx, body)),
  on(contract.getTag, (tx, { params }) => operations.getTag(tx, params.tag_id)),
  on(contract.updateTag, (tx, { params, body }) => operations.updateTag(tx, params.tag_id, body)),
  on(contract.deleteTag, (tx, { params, query }) => operations.deleteTag(tx, params.tag_id, query)),
  on(contract.archiveTag, (tx, { params }) => operations.archiveTag(tx, params.tag_id)),
  on(contract.restoreTag, (tx, { params }) => operations.restoreTag(tx, params.tag_id)),
  on(contract.mergeTag, (tx, { params, body }) => operations.mergeTag(tx, params.tag_id, body.into_id)),
  on(contract.listTagRecords, (tx, { params, query }) => operations.listTagRecords(tx, params.tag_id, query)),
]
