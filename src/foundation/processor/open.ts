// Which card processor it is: Stripe where a key is set, else the embedded one.
import type { Database } from '../database/transact.ts'
import type { Settings } from '../settings.ts'
import type { CardProcessor } from './processor.ts'
import { openSandbox } from './sandbox.ts'
import { openStripe } from './stripe.ts'

type ProcessorSettings = Pick<Settings, 'stripe_key' | 'stripe_webhook_secret' | 'stripe_host'>

export function openProcessor({ stripe_key, stripe_webhook_secret, stripe_host }: ProcessorSettings, database: () => Database): CardProcessor {
  if (stripe_key === null) return openSandbox(database)
  return openStripe({ key: stripe_key, webhook_secret: stripe_webhook_secret, url: stripe_host })
}
