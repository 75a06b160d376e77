// Calls of imports that work.
import { newId } from '../../src/foundation/ids.ts'
import { mapped, newImport, ranImport } from '../support/imports.ts'
import type { Team } from '../support/people.ts'
import { newDocument } from '../support/uploads.ts'
import type { Sample } from './samples.ts'

const file = () => `id,name\n${newId()},Harbor Books\n`

export const importIds: Record<string, (team: Team) => Promise<string>> = { import_id: async ({ client }) => (await newImport(client, 'customers', file())).id }

const isMapped = async ({ client }: Team): Promise<Partial<Sample>> => ({ params: { import_id: (await mapped(client, 'customers', file())).id } })

export const importSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  get_import_template: async () => ({ params: { kind: 'customers' } }),
  create_import: async ({ client }) => ({ body: { kind: 'customers', document_id: (await newDocument(client, 'customers.csv', file())).id } }),
  map_import: async () => ({ body: { mapping: { id: 'external_id', name: 'name' } } }),
  preview_import: isMapped,
  run_import: isMapped,
  cancel_import: async (team) => {
    const { params = {} } = await isMapped(team)
    await team.client.put(`/imports/${params['import_id']}/run`)
    return { params }
  },
  roll_back_import: async ({ client }) => ({ params: { import_id: (await ranImport(client, 'customers', file())).id } }),
}
