// Where a browser is found on the machine.
import { existsSync } from 'node:fs'

export const chromiumPath = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path))
