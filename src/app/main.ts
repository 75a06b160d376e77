// The command line.
import { endAtOnceOnSignal } from './stop-signal.ts'
import { helpFor, readArguments, UsageError, type Command } from './command.ts'

/** Loaded when it is asked for: a backup need not wait for every route of the API. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  worker: async () => (await import('./commands/worker.ts')).worker,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  demo: async () => (await import('./commands/demo.ts')).demo,
  verify: async () => (await import('./commands/verify.ts')).verify,
  export: async () => (await import('./commands/export.ts')).exportBooks,
  openapi: async () => (await import('./commands/openapi.ts')).openapi,
  token: async () => (await import('./commands/token.ts')).token,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
}

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()))
  return `Daybook, an accounting service.

Usage: daybook <command> [options]

${all.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`).join('\n')}

daybook <command> --help tells more about one of them. Settings come from the environment: see docs/settings.md.
First time here? Run: daybook serve`
}

async function main(argv: string[]): Promise<void> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return console.log(await overview())
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) throw new UsageError(`There is no command "${name}". Known are: ${Object.keys(commands).join(', ')}.`)
  const command = await load()
  if (rest.includes('--help') || rest.includes('-h')) return console.log(helpFor(command))
  await command.run(readArguments(command, rest))
}

try {
  endAtOnceOnSignal()
  await main(process.argv.slice(2))
} catch (error) {
  // What went wrong in one sentence; the stack is for whoever asks for it.
  console.error(process.env['DEBUG'] ? error : `daybook: ${(error as Error).message}`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
