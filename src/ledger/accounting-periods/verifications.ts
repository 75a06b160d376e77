// What must hold of the periods and of what was sworn to when they were closed.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { boolean, date, id, integer } from '../../foundation/shapes.ts'
import type { Finding, Verification } from '../../foundation/verification.ts'
import { verificationOf } from '../book-verification/operations.ts'
import { MOST_TOLD, tell, units } from '../book-verification/rules.ts'
import { Certificate } from './contract.ts'
import { certificateHash } from './rules.ts'

const total = Type.Integer()
/** A sum of 64-bit numbers is larger than one: it comes as text. */
const sum = Type.String()

const periods = statement(Count, 'select count(*) as count from accounting_periods where business_id = :business_id')
const entries = statement(Count, 'select count(*) as count from journal_entries where business_id = :business_id')

const torn = statement(
  Type.Object({ name: Type.String(), start_date: date(), previous_name: Type.String(), previous_end: date(), total }),
  `select name, start_date, previous_name, previous_end, count(*) over () as total
   from (select name, start_date, lag(name) over following as previous_name, lag(end_date) over following as previous_end
         from accounting_periods where business_id = :business_id window following as (order by start_date)) as step
   where previous_end <> start_date - 1 order by start_date limit ${MOST_TOLD}`)

const outside = statement(
  Type.Object({ number: integer(), date: date(), total }),
  `select e.number, e.date, count(*) over () as total
   from journal_entries e left join accounting_periods p on p.business_id = e.business_id and e.date between p.start_date and p.end_date
   where e.business_id = :business_id and p.id is null order by e.number limit ${MOST_TOLD}`)

const LATEST = `select distinct on (period_id) period_id, id, hash, journal_number
   from period_certificates where business_id = :business_id order by period_id, signed_at desc, id desc`

const late = statement(
  Type.Object({ number: integer(), date: date(), name: Type.String(), journal_number: integer(), total }),
  `select e.number, e.date, p.name, c.journal_number, count(*) over () as total
   from accounting_periods p join (${LATEST}) as c on c.period_id = p.id
   join journal_entries e on e.business_id = p.business_id and e.date between p.start_date and p.end_date and e.number > c.journal_number
   where p.business_id = :business_id and p.status = 'closed' order by e.number limit ${MOST_TOLD}`)

const uncertified = statement(
  Type.Object({ name: Type.String(), certified: boolean(), total }),
  `select p.name, c.id is not null as certified, count(*) over () as total
   from accounting_periods p left join (${LATEST}) as c on c.period_id = p.id
   where p.business_id = :business_id and p.status = 'closed' and p.closing_hash is distinct from c.hash order by p.start_date limit ${MOST_TOLD}`)

/** A few at a time: each holds a whole trial balance. */
const certificatesAfter = statement(
  Type.Object({ ...Certificate.properties, name: Type.String(), in_force: boolean() }),
  `select ${columns(Certificate, 'c')}, p.name, p.status = 'closed' and l.id = c.id as in_force
   from period_certificates c
   join accounting_periods p on p.business_id = c.business_id and p.id = c.period_id
   join (${LATEST}) as l on l.period_id = c.period_id
   where c.business_id = :business_id and c.id > :after::uuid order by c.id limit 24`)

const balancesNow = statement(
  Type.Object({ period_id: id(), ledger_id: id(), ledger: Type.String(), opening: sum, debit: sum, credit: sum, closing: sum }),
  `select p.id as period_id, g.id as ledger_id, concat_ws(' ', g.number, g.name) as ledger,
     coalesce(sum(m.debit - m.credit) filter (where m.month < p.start_date), 0) as opening,
     coalesce(sum(m.debit) filter (where m.month >= p.start_date), 0) as debit,
     coalesce(sum(m.credit) filter (where m.month >= p.start_date), 0) as credit,
     sum(m.debit - m.credit) as closing
   from accounting_periods p
   join ledger_months m on m.business_id = p.business_id and m.month <= p.end_date
   join ledgers g on g.business_id = m.business_id and g.id = m.ledger_id
   where p.business_id = :business_id and p.id = any(:period_ids) group by p.id, g.id, g.number, g.name order by g.number, g.name, g.id`)

type Kept = Certificate & { name: string; in_force: boolean }

/** Looks at every certificate, some at a time. */
async function eachBatch(tx: BusinessTx, look: (batch: Kept[]) => Promise<string[]>): Promise<Finding> {
  const problems: string[] = []
  let checked = 0
  for (let after: string | undefined = FIRST; after !== undefined; ) {
    const batch: Kept[] = await tx.many(certificatesAfter, { after })
    problems.push(...(batch.length > 0 ? await look(batch) : []))
    checked += batch.length
    after = batch.at(-1)?.id
  }
  return { checked, problems: tell(problems) }
}

const FIRST = '00000000-0000-0000-0000-000000000000'

const hashes: Verification = {
  claim: 'Every closed period carries the hash of its certificate, which follows from what the certificate says',
  async run(tx) {
    const [bare, { checked, problems }] = await Promise.all([
      tx.many(uncertified),
      eachBatch(tx, async (batch) => batch.filter((certificate) => certificateHash(certificate) !== certificate.hash)
        .map(({ name, signed_at }) => `the certificate of ${name} of ${signed_at} says something else than when it was signed`)),
    ])
    const closed = bare.map(({ name, certified }) =>
      (certified ? `${name} does not carry the hash of its certificate` : `${name} is closed without a certificate`))
    return { checked, problems: tell([...closed, ...problems]) }
  },
}

const balances: Verification = {
  claim: 'The balances of every closed period are those of its certificate',
  run: (tx) => eachBatch(tx, async (batch) => {
    const sworn = batch.filter(({ in_force }) => in_force)
    const now = Map.groupBy(await tx.many(balancesNow, { period_ids: sworn.map(({ period_id }) => period_id) }), ({ period_id }) => period_id)
    return sworn.flatMap((certificate) => changes(certificate, now.get(certificate.period_id) ?? []))
  }),
}

const MEASURES = ['opening', 'debit', 'credit', 'closing'] as const
type Balance = { ledger_id: string; ledger: string } & Record<(typeof MEASURES)[number], string>

/** Names and numbers of ledgers may change; what was sworn to are the amounts. */
function changes({ name, trial_balance }: Kept, now: readonly Balance[]): string[] {
  const certified = new Map(trial_balance.map((row) => [row.ledger_id, row]))
  const current = new Map(now.map((row) => [row.ledger_id, row]))
  return [...new Set([...certified.keys(), ...current.keys()])].flatMap((ledger_id) => {
    const off = MEASURES.flatMap((measure) => {
      const [then, today] = [String(certified.get(ledger_id)?.[measure] ?? 0), current.get(ledger_id)?.[measure] ?? '0']
      return then === today ? [] : [`${measure} was certified as ${units(then)} and is ${units(today)}`]
    })
    return off.length === 0 ? [] : [`${name}, ${current.get(ledger_id)?.ledger ?? certified.get(ledger_id)?.name}: ${off.join('; ')}`]
  })
}

export const periodVerifications: Verification[] = [
  verificationOf({
    claim: 'The periods follow one another without a gap or an overlap',
    counted: periods,
    found: torn,
    sentence: ({ name, start_date, previous_name, previous_end }) => `${name} starts on ${start_date}, but ${previous_name} before it ends on ${previous_end}`,
  }),
  verificationOf({
    claim: 'The date of every entry lies in a period',
    counted: entries,
    found: outside,
    sentence: ({ number, date: on }) => `entry ${number} of ${on} lies in no period`,
  }),
  verificationOf({
    claim: 'No entry has come into a closed period since it was certified',
    counted: entries,
    found: late,
    sentence: ({ number, date: on, name, journal_number }) => `entry ${number} of ${on} lies in ${name}, which was closed at entry ${journal_number}`,
  }),
  hashes,
  balances,
]
