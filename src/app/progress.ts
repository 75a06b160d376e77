// A progress line for people; nothing where the output is not a terminal.
let unfinished = false

export function showProgress(done: number, total: number, what: string): void {
  if (!process.stderr.isTTY) return
  const filled = Math.round((done / Math.max(1, total)) * 30)
  process.stderr.write(`\r  ${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${done}/${total} ${what.padEnd(40).slice(0, 40)}${done === total ? '\n' : ''}`)
  unfinished = done !== total
}

/** For work that fails on the way: what is said about it begins on a line of its own. */
export function leaveProgress(): void {
  if (unfinished) process.stderr.write('\n')
  unfinished = false
}
