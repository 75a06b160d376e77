// The command line.
import { backup } from './commands/backup.ts'
import { exportBooks } from './commands/export.ts'
import { demo } from './commands/demo.ts'
import { migrate } from './commands/migrate.ts'
import { openapi } from './commands/openapi.ts'
import { restore } from './commands/restore.ts'
import { serve } from './commands/serve.ts'
import { token } from './commands/token.ts'
import { verify } from './commands/verify.ts'
import { worker } from './commands/worker.ts'
import { endAtOnceOnSignal } from './stop-signal.ts'
import { helpFor, readArguments, UsageError, type Command } from './command.ts'

const commands: Command[] = [serve, worker, migrate, demo, verify, exportBooks, openapi, token, backup, restore]

const overview = `Daybook, an accounting service.

Usage: daybook <command> [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`).join('\n')}

daybook <command> --help tells more about one of them. Settings come from the environment: see docs/settings.md.
First time here? Run: daybook serve`

async function main(argv: string[]): Promise<void> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return console.log(overview)
  const command = commands.find((candidate) => candidate.name === name)
  if (!command) throw new UsageError(`There is no command "${name}". Known are: ${commands.map((candidate) => candidate.name).join(', ')}.`)
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
