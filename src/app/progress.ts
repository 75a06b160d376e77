// A progress line for people; nothing where the output is not a terminal.
export function showProgress(done: number, total: number, what: string): void {
  if (!process.stderr.isTTY) return
  const filled = Math.round((done / Math.max(1, total)) * 30)
  process.stderr.write(`\r  ${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${done}/${total} ${what.padEnd(40).slice(0, 40)}${done === total ? '\n' : ''}`)
}
