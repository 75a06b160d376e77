// An amount that leads to what it is made of.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { money } from '../format.ts'
import { linkOf } from '../parts/addresses.ts'

type AmountLinkProps = { cents: number; currency: string; href: string; large?: boolean; label?: string }

export function AmountLink({ cents, currency, href, large = false, label }: AmountLinkProps) {
  const look = { ...(large ? { fz: 28, fw: 700, lh: 1.2 } : { fz: 'sm' }), ...(label ? { 'aria-label': `${label}: ${money(cents, currency)}` } : {}) }
  return (
    <Anchor
      component={Link} {...linkOf(href)} {...look} c="inherit" style={{ fontVariantNumeric: 'tabular-nums' }} underline="hover"
    >
      {money(cents, currency)}
    </Anchor>
  )
}
