// What can be done with the invoice on the page: the next step as a button, the rest in a menu.
import { Button, Menu } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { say, sayFailed } from '../parts/feedback.tsx'
import { mayCorrect, mayWrite } from '../parts/roles.ts'
import { useSession } from '../session.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { CreditDialog } from './credit-dialog.tsx'
import { deliver, finalize, markPaid, markUnpaid, remove, voidInvoice, writeOff, type InvoiceAction } from './invoice-actions.ts'
import { downloadPaper, InvoicePaper } from './invoice-paper.tsx'
import type { Invoice } from './invoice-status.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { SendDialog } from './send-dialog.tsx'

type Shown = InvoiceAction | 'payment' | 'send' | 'paper' | 'credit' | null
const MORE = [markPaid, markUnpaid, deliver, writeOff, voidInvoice, remove]

async function copyLink({ id }: Invoice): Promise<void> {
  try {
    const { url, payable, reason } = await dataOf(api.GET('/api/v1/invoices/{invoice_id}/payment-link', { params: { path: { invoice_id: id } } }))
    await navigator.clipboard.writeText(url)
    say(payable ? 'The link is copied.' : `The link is copied. It cannot be paid there now: ${reason ?? ''}`)
  } catch (error) {
    sayFailed(error)
  }
}

export function InvoiceBar({ invoice }: { invoice: Invoice }) {
  const go = useNavigate()
  const { membership } = useSession()
  const [shown, setShown] = useState<Shown>(null)
  const close = () => setShown(null)
  const writes = mayWrite(membership?.role)
  const isDraft = invoice.status === 'draft'
  const live = !isDraft && invoice.status !== 'void'
  const unpaid = invoice.status === 'open' || invoice.status === 'partially_paid'
  const more = writes ? MORE.filter((action) => action.fits(invoice) && (!action.corrects || mayCorrect(membership?.role))) : []
  return (
    <>
      {writes && isDraft && <Button onClick={() => setShown(finalize)}>Finalize</Button>}
      {writes && unpaid && <Button onClick={() => setShown('payment')}>{invoice.uncollectible ? 'Record recovery' : 'Record payment'}</Button>}
      {writes && invoice.status !== 'void' && <Button variant="default" onClick={() => setShown('send')}>Send</Button>}
      {writes && <Button variant="default" component={Link} to={`/invoices/${invoice.id}/edit`}>Edit</Button>}
      <Menu position="bottom-end">
        <Menu.Target><Button variant="default">More</Button></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setShown('paper')}>Show PDF</Menu.Item>
          <Menu.Item onClick={() => downloadPaper(invoice)}>Download PDF</Menu.Item>
          {live && <Menu.Item onClick={() => void copyLink(invoice)}>Copy link to pay</Menu.Item>}
          {invoice.hosted_invoice_url && live && (
            <Menu.Item component="a" href={invoice.hosted_invoice_url} target="_blank" rel="noreferrer">Open the customer’s page</Menu.Item>
          )}
          {writes && <Menu.Item component={Link} to="/invoices/new" search={{ copy: invoice.id } as never}>Write another like it</Menu.Item>}
          {(more.length > 0 || (writes && live)) && <Menu.Divider />}
          {writes && live && <Menu.Item onClick={() => setShown('credit')}>Credit</Menu.Item>}
          {more.map((action) => (
            <Menu.Item key={action.name} {...(action.grave ? { color: 'red' } : {})} onClick={() => setShown(action)}>{action.button}</Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {shown === 'payment' && <PaymentDialog invoice={invoice} on_close={close} />}
      {shown === 'send' && <SendDialog invoice={invoice} on_close={close} />}
      {shown === 'paper' && <InvoicePaper invoice={invoice} on_close={close} />}
      {shown === 'credit' && <CreditDialog invoice={invoice} on_close={close} />}
      {shown !== null && typeof shown === 'object' && (
        <ActionDialog action={shown} invoice={invoice} on_close={close} {...(shown.name === 'delete' ? { on_done: () => void go({ to: '/invoices' }) } : {})} />
      )}
    </>
  )
}
