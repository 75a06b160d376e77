// Catalog items over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const catalogItemRoutes = [
  on(contract.listCatalogItems, (tx, { query }) => operations.listCatalogItems(tx, query)),
  on(contract.createCatalogItem, (tx, { body }) => operations.createCatalogItem(tx, body)),
  on(contract.exportCatalogItems, (tx, { query }) => operations.exportCatalogItems(tx, query)),
  on(contract.bulkCatalogItems, (tx, { body }) => operations.bulkCatalogItems(tx, body)),
  on(contract.changeCatalogPrices, (tx, { body }) => operations.changeCatalogPrices(tx, body)),
  on(contract.getCatalogItem, (tx, { params }) => operations.getCatalogItem(tx, params.item_id)),
  on(contract.updateCatalogItem, (tx, { params, body }) => operations.updateCatalogItem(tx, params.item_id, body)),
  on(contract.deleteCatalogItem, (tx, { params }) => operations.deleteCatalogItem(tx, params.item_id)),
  on(contract.archiveCatalogItem, (tx, { params }) => operations.archiveCatalogItem(tx, params.item_id)),
  on(contract.restoreCatalogItem, (tx, { params }) => operations.restoreCatalogItem(tx, params.item_id)),
  on(contract.duplicateCatalogItem, (tx, { params }) => operations.duplicateCatalogItem(tx, params.item_id)),
]
