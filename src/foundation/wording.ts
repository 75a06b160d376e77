// Amounts, dates and addresses as people read them on papers, pages and mail.

/** 1234567 → 12,345.67; exact for every amount there is. */
export function amountText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`
}

/** 1234567 → 1,234,567 */
export function countText(count: number): string {
  return `${count < 0 ? '-' : ''}${grouped(String(Math.abs(count)))}`
}

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** The code, not the sign: a dollar is not the same everywhere. The two are never torn apart at the end of a line. */
export function moneyText(cents: number, currency: string): string {
  return `${currency}\u00a0${amountText(cents)}`
}

/** The month as a word, so that nobody takes the day for it; in the order of the country. */
export function dateText(date: string, country: string): string {
  const format = country === 'US' || country === 'CA' ? american : european
  return format.format(new Date(`${date}T00:00:00Z`))
}

const american = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const european = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** 8.2500 → 8.25% */
export function percentText(percent: string): string {
  return `${percent.includes('.') ? percent.replace(/\.?0+$/, '') : percent}%`
}

export type PostalAddress = {
  line1?: string | null
  line2?: string | null
  city?: string | null
  region?: string | null
  postal_code?: string | null
  country?: string | null
}

/** The lines of an address as on an envelope; the country where it is another than `home`. */
export function addressLines(address: PostalAddress | null, home: string | null): string[] {
  if (!address) return []
  const { line1, line2, city, region, postal_code, country } = address
  const american_order = ['US', 'CA', 'AU'].includes(country ?? home ?? '')
  const place = american_order ? [[city, region].filter(Boolean).join(', '), postal_code] : [[postal_code, city].filter(Boolean).join(' '), region]
  const last = place.filter(Boolean).join(american_order ? ' ' : ', ')
  return [line1, line2, last, country && country !== home ? countryName(country) : null].flatMap((line) => (line?.trim() ? [line.trim()] : []))
}

export function countryName(country: string): string {
  return /^[A-Z]{2}$/.test(country) ? countries.of(country) ?? country : country
}

const countries = new Intl.DisplayNames('en', { type: 'region' })
