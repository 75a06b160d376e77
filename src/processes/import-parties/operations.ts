// Customers and projects from files, through their own groups.
import { isCountry } from '../../access/businesses/rules.ts'
import { CustomerInput } from '../../directory/customers/contract.ts'
import { bulkCustomers, customersByKeys, deleteCustomer } from '../../directory/customers/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { ProjectInput } from '../../projects/projects/contract.ts'
import { createProject, deleteProject, updateProject } from '../../projects/projects/operations.ts'
import { projectsByCode } from '../import-references/operations.ts'
import { ok, refused, type Handler, type Outcome } from '../import-handlers/contract.ts'

export const customerHandler: Handler = {
  schema: CustomerInput,
  batch: 500,
  complete({ input }, { options }) {
    return { ...(options.currency && { currency: options.currency }), ...input }
  },
  async known(tx, inputs) {
    const { external_ids } = await customersByKeys(tx, { external_ids: inputs.flatMap(({ external_id }) => (external_id ? [String(external_id)] : [])) })
    return inputs.map(({ external_id }) => (external_id ? external_ids.get(String(external_id))?.id ?? null : null))
  },
  async save(tx, inputs) {
    const customers = inputs as CustomerInput[]
    const lost = customers.map(countryProblem)
    const sent = customers.flatMap((customer, index) => (lost[index] ? [] : [customer]))
    const { rows } = sent.length > 0 ? await bulkCustomers(tx, { customers: sent, atomic: false }) : { rows: [] }
    let at = 0
    return lost.map((problem): Outcome => {
      const row = problem ? null : rows[at++]
      if (!row) return refused(problem ?? 'It could not be saved.')
      return row.status === 'error' ? refused(row.detail ?? '') : ok(row.status, row.id)
    })
  },
  remove: deleteCustomer,
}

/** The bulk call refuses all for one country that there is not. */
function countryProblem({ billing_address, shipping_address }: CustomerInput): string | null {
  const wrong = [billing_address?.country, shipping_address?.country].find((country) => country && !isCountry(country))
  return wrong ? `${wrong} is not a country code of ISO 3166-1, such as US.` : null
}

/** Projects have no bulk call: each is created by itself, so few of them go into one set. */
export const projectHandler: Handler = {
  schema: ProjectInput,
  batch: 200,
  complete: ({ input }) => input,
  async known(tx, inputs) {
    const found = await projectsByCode(tx, inputs.map(({ code }) => keyOf(code)))
    return inputs.map(({ code }) => found.get(keyOf(code)) ?? null)
  },
  async save(tx, inputs, known) {
    const outcomes: Outcome[] = []
    for (const [index, input] of inputs.entries()) outcomes.push(await saveProject(tx, input as ProjectInput, known[index] ?? null))
    return outcomes
  },
  remove: deleteProject,
}

async function saveProject(tx: BusinessTx, input: ProjectInput, project_id: string | null): Promise<Outcome> {
  try {
    if (project_id === null) return ok('created', (await createProject(tx, input)).id)
    await updateProject(tx, project_id, input)
    return ok('updated', project_id)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problems) throw error
    return refused(error.detail)
  }
}

function keyOf(code: unknown): string {
  return String(code).trim().toLowerCase()
}
