// How statements travel: all that is sent on a connection in one turn of the event loop is one flight, which leaves in one
// write, ends with one Sync and is answered in one piece. Statements are prepared once per connection and their columns
// described once per process.
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { prepareValue } from 'pg/lib/utils.js'
import type { Statement } from './statement.ts'
import { valueTypes } from './values.ts'

export type Outcome = { rows: Record<string, unknown>[]; count: number; command: string }

/** Sends a statement. Where one of a flight fails, those behind it are not carried out and fail too. */
export function send(client: pg.ClientBase, statement: Statement, values: unknown[]): Promise<Outcome> {
  return new Promise((resolve, reject) => flightOf(client).add({ statement, values, rows: [], resolve, reject }))
}

/** Sends plain text such as `commit`; the command that the server says it carried out. */
export async function sendText(client: pg.ClientBase, text: string): Promise<string> {
  return (await send(client, textStatement(text), [])).command
}

/** The code of a statement that was not carried out because one before it failed: the server's own for such a case. */
export const SKIPPED = '25P02'

type Step = { statement: Statement; values: unknown[]; rows: Record<string, unknown>[]; unreadable?: Error; resolve: (outcome: Outcome) => void; reject: (error: Error) => void }
type Build = (values: (string | null)[]) => Record<string, unknown>

const EXECUTE = serialize.execute()
const SYNC = serialize.sync()

type Connection = { stream: { write(bytes: Buffer): void } }

/** How a row of each statement is put together, from the first time it was described: asking again costs both sides more than the row. */
const described = new WeakMap<Statement, Build>()

/** What is prepared on each connection, under which name. */
type Prepared = { names: Map<Statement, string>; bound: Map<Statement, Buffer>; given: number }
const prepared = new WeakMap<Connection, Prepared>()

const flights = new WeakMap<pg.ClientBase, Flight>()

function flightOf(client: pg.ClientBase): Flight {
  const open = flights.get(client)
  if (open) return open
  const flight = new Flight()
  flights.set(client, flight)
  process.nextTick(() => flights.get(client) === flight && depart(client))
  return flight
}

/** What is sent from here on does not share the fate of what was sent before: a failed flight is passed over up to its end. */
export function depart(client: pg.ClientBase): void {
  const flight = flights.get(client)
  flights.delete(client)
  if (flight) client.query(flight as never)
}

/** Handed to a client of pg as one query; it passes what comes back to its steps in turn. */
class Flight {
  readonly #steps: Step[] = []
  readonly #parsed: Statement[] = []
  #prepared: Prepared | null = null
  #at = 0

  add(step: Step): void {
    this.#steps.push(step)
  }

  /** pg's way of sending: null, or the error that kept it from being sent. */
  submit(connection: Connection): Error | null {
    try {
      this.#send(connection)
      return null
    } catch (error) {
      return error as Error
    }
  }

  #send(connection: Connection): void {
    const known = prepared.get(connection) ?? { names: new Map<Statement, string>(), bound: new Map<Statement, Buffer>(), given: 0 }
    prepared.set(connection, known)
    this.#prepared = known
    const messages = this.#steps.flatMap(({ statement, values }) => this.#messages(known, statement, values))
    connection.stream.write(Buffer.concat([...messages, SYNC]))
  }

  #messages(known: Prepared, statement: Statement, values: unknown[]): Buffer[] {
    const messages: Buffer[] = []
    let name = statement.name === '' ? '' : known.names.get(statement)
    if (name === undefined || name === '') {
      // Never the same name twice on a connection: after a failed flight nobody knows whether the first one was prepared.
      name = statement.name === '' ? '' : `${statement.name}_${known.given++}`
      messages.push(serialize.parse({ name, text: statement.text }))
      if (name !== '') known.names.set(statement, name)
      this.#parsed.push(statement)
    }
    messages.push(values.length === 0 && name !== '' ? boundCommand(known, statement, name) : serialize.bind({ statement: name, values, valueMapper: prepareValue }))
    if (!described.has(statement)) messages.push(serialize.describe({ type: 'P' }))
    messages.push(EXECUTE)
    return messages
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    const step = this.#steps[this.#at]
    if (step) described.set(step.statement, builderOf(message.fields))
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const step = this.#steps[this.#at] as Step
    try {
      step.rows.push((described.get(step.statement) ?? noColumns)(message.fields))
    } catch (error) {
      // A value that cannot be read, such as a sum too large, is told to whoever asked; here it would end the process.
      step.unreadable = error as Error
    }
  }

  handleCommandComplete(message: { text: string }): void {
    const step = this.#steps[this.#at++] as Step
    // A statement without rows is never described by the server: remembered all the same.
    if (!described.has(step.statement)) described.set(step.statement, noColumns)
    const [command = '', ...numbers] = message.text.split(' ')
    if (step.unreadable) step.reject(step.unreadable)
    else step.resolve({ rows: step.rows, count: Number(numbers.at(-1) ?? 0), command })
  }

  handleError(error: Error): void {
    for (const statement of this.#parsed) {
      this.#prepared?.names.delete(statement)
      this.#prepared?.bound.delete(statement)
    }
    const [failed, ...behind] = this.#steps.slice(this.#at)
    this.#at = this.#steps.length
    failed?.reject(error)
    for (const step of behind) step.reject(Object.assign(new Error('Not carried out: a statement before it failed.'), { code: SKIPPED, cause: error }))
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleReadyForQuery(): void {}
}

// pg pipelines only what is one of its own queries. Being one in name is enough: nothing of the base is used.
Object.setPrototypeOf(Flight.prototype, pg.Query.prototype)

const noColumns: Build = () => ({})

/** Types whose text is the value. */
const AS_IS = new Set<number>([pg.types.builtins.TEXT, pg.types.builtins.VARCHAR, pg.types.builtins.UUID, pg.types.builtins.DATE, pg.types.builtins.NUMERIC])

/** Written out as code, so that all rows of a statement have one shape that the engine knows; the names are our own columns. */
function builderOf(fields: { name: string; dataTypeID: number }[]): Build {
  const parsers = fields.map(({ dataTypeID }) => valueTypes.getTypeParser(dataTypeID))
  const members = fields.map(({ name, dataTypeID }, index) =>
    `${JSON.stringify(name)}: ${AS_IS.has(dataTypeID) ? `v[${index}]` : `v[${index}] === null ? null : parsers[${index}](v[${index}])`}`)
  return new Function('parsers', `return (v) => ({ ${members.join(', ')} })`)(parsers) as Build
}

/** The same bytes each time, for a statement without parameters. */
function boundCommand({ bound }: Prepared, statement: Statement, name: string): Buffer {
  const known = bound.get(statement)
  if (known) return known
  const message = serialize.bind({ statement: name })
  bound.set(statement, message)
  return message
}

/** Commands come again and again and are prepared; a text that is new each time, as the tenant's, is not. */
const commands = new Map<string, Statement>()

function textStatement(text: string): Statement {
  const known = commands.get(text)
  if (known) return known
  const constant = /^(begin|begin isolation level repeatable read read only|commit|rollback|set constraints all immediate)$/.test(text)
  const statement: Statement = { name: constant ? text.replaceAll(' ', '_') : '', text, parameters: [], row: { properties: {} } as Statement['row'] }
  described.set(statement, noColumns)
  if (constant) commands.set(text, statement)
  return statement
}
