// Which card processor it is: Stripe where a key is set, else the embedded one.
import type { Database } from '../database/transact.ts'
import type { Settings } from '../settings.ts'
import type { CardProcessor } from './processor.ts'
import { openSandbox } from './sandbox.ts'
import { openStripe } from './stripe.ts'

type ProcessorSettings = Pick<Settings,
  | 'stripe_key' | 'stripe_webhook_secret' | 'stripe_host' | 'billing_webhook_secret' | 'billing_price_self_directed_month'
  | 'billing_price_self_directed_year' | 'billing_price_managed_month' | 'billing_price_managed_year'>

export function openProcessor(settings: ProcessorSettings, database: () => Database): CardProcessor {
  const { stripe_key, stripe_webhook_secret, stripe_host, billing_webhook_secret } = settings
  if (stripe_key === null) return openSandbox(database)
  const prices = {
    self_directed: { month: settings.billing_price_self_directed_month, year: settings.billing_price_self_directed_year },
    managed: { month: settings.billing_price_managed_month, year: settings.billing_price_managed_year },
  }
  return openStripe({ key: stripe_key, webhook_secret: stripe_webhook_secret, url: stripe_host, plans: { prices, webhook_secret: billing_webhook_secret } })
}
