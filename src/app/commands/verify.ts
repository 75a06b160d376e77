// daybook verify: recomputes what the books claim, for every business, and says so in one table.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { requireSchema } from '../../foundation/database/migrate.ts'
import { statement } from '../../foundation/database/statement.ts'
import type { Business } from '../../foundation/database/context.ts'
import { plainRequest, system, transact, type Database } from '../../foundation/database/transact.ts'
import { openLog } from '../../foundation/log.ts'
import { readSettings } from '../../foundation/settings.ts'
import { id } from '../../foundation/shapes.ts'
import type { Finding } from '../../foundation/verification.ts'
import type { Command } from '../command.ts'
import { readEncryptionKey } from '../encryption-key.ts'
import { openDatabase } from '../open-database.ts'
import { openProgram } from '../program.ts'
import { showProgress } from '../progress.ts'
import { verifications } from '../verifications.ts'

const allBusinesses = statement(Type.Object({ id: id(), name: Type.String() }), 'select id, name from businesses where (:only::uuid is null or id = :only) order by created_at, id')

type Row = { claim: string; businesses: number; checked: number; problems: string[] }

export const verify: Command = {
  name: 'verify',
  summary: 'recompute everything and report what is off',
  help: 'Re-derives what must hold from the stored rows, business by business, and prints a table. Changes nothing. Ends with 1 where anything is off.',
  options: { business: { value: 'id', meaning: 'only this business' } },
  async run({ options }) {
    const settings = readSettings(process.env)
    const opened = await openDatabase(settings)
    const program = openProgram({ settings, database_url: opened.url, encryption_key: await readEncryptionKey(settings), log: openLog('error') })
    try {
      await requireSchema(opened.url)
      const rows = await verifyAll(program.database, typeof options['business'] === 'string' ? options['business'] : null)
      report(rows)
      process.exitCode = rows.some(({ problems }) => problems.length > 0) ? 1 : 0
    } finally {
      await program.stop()
      await opened.stop()
    }
  },
}

export async function verifyAll(database: Database, only: string | null): Promise<Row[]> {
  const businesses = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(allBusinesses, { only }))
  const rows: Row[] = verifications.map(({ claim }) => ({ claim, businesses: 0, checked: 0, problems: [] }))
  for (const [index, { id: business_id, name }] of businesses.entries()) {
    const business = await findBusiness(database, business_id)
    if (!business) continue
    for (const [position, { checked, problems }] of (await findingsOf(database, business)).entries()) {
      const row = rows[position]
      if (!row) continue
      row.businesses += 1
      row.checked += checked
      row.problems.push(...problems.map((problem) => `${name} (${business_id}): ${problem}`))
    }
    showProgress(index + 1, businesses.length, name)
  }
  return rows
}

/** All of them in one state of the business, whatever goes on beside it. */
function findingsOf(database: Database, business: Business): Promise<Finding[]> {
  return transact(database, { business_id: business.id, read_only: true, request: plainRequest }, async ({ asBusiness }) => {
    const tx = asBusiness(system, business)
    await tx.waitAsLongAsItTakes()
    const findings: Finding[] = []
    for (const { run } of verifications) findings.push(await run(tx))
    return findings
  })
}

function report(rows: Row[]): void {
  console.table(rows.map(({ claim, businesses, checked, problems }) => ({ claim, businesses, rows: checked, result: problems.length === 0 ? 'ok' : `${problems.length} off` })))
  for (const problem of rows.flatMap(({ problems }) => problems)) console.error(`  off: ${problem}`)
}
