// A command is data plus a function: the help and the reading of its arguments follow from the data.
import { parseArgs } from 'node:util'

export type Command = {
  name: string
  summary: string
  /** More than the summary, a paragraph or two. */
  help: string
  /** What follows the name without dashes, such as a file. */
  operand?: { name: string; meaning: string; required: boolean }
  options: Record<string, { value?: string; meaning: string }>
  run(given: Arguments): Promise<void>
}

export type Arguments = { operand: string | null; options: Record<string, string | true | undefined> }

export class UsageError extends Error {}

export function readArguments(command: Command, argv: string[]): Arguments {
  const options = Object.fromEntries(Object.entries(command.options).map(([name, { value }]) => [name, { type: value ? ('string' as const) : ('boolean' as const) }]))
  const more = `daybook ${command.name} --help shows how it is used.`
  let parsed
  try {
    parsed = parseArgs({ args: argv, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. ${more}`)
  }
  const [operand, surplus] = parsed.positionals
  if (surplus !== undefined || (operand !== undefined && !command.operand)) throw new UsageError(`"${surplus ?? operand}" is not expected here. ${more}`)
  if (operand === undefined && command.operand?.required) throw new UsageError(`The ${command.operand.name} is missing. ${more}`)
  return { operand: operand ?? null, options: parsed.values as Arguments['options'] }
}

export function helpFor(command: Command): string {
  const operand = command.operand ? (command.operand.required ? ` <${command.operand.name}>` : ` [${command.operand.name}]`) : ''
  const rows = [
    ...(command.operand ? [[command.operand.name, command.operand.meaning]] : []),
    ...Object.entries(command.options).map(([name, { value, meaning }]) => [`--${name}${value ? ` <${value}>` : ''}`, meaning]),
  ]
  const width = Math.max(0, ...rows.map(([left = '']) => left.length)) + 2
  const table = rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}${right}`).join('\n')
  return `Usage: daybook ${command.name}${operand}${rows.length > 0 ? ' [options]' : ''}\n\n${command.help}${table ? `\n\n${table}` : ''}`
}
