// The PDF of an invoice, as the customer gets it, without leaving the page.
import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, download } from '../api.ts'
import { Failure, Loading, sayFailed } from '../parts/feedback.tsx'
import { nameOf, type Invoice } from './invoice-status.tsx'

export const downloadPaper = ({ id }: Invoice): void => void download(`/api/v1/invoices/${id}/pdf/internal`).catch(sayFailed)

export function InvoicePaper({ invoice, on_close }: { invoice: Invoice; on_close: () => void }) {
  const paper = useQuery({
    queryKey: ['invoices', invoice.id, 'paper', invoice.version],
    async queryFn() {
      const { data } = await api.GET('/api/v1/invoices/{invoice_id}/pdf/internal', { params: { path: { invoice_id: invoice.id } }, parseAs: 'blob' })
      return data as Blob
    },
  })
  const url = useAddress(paper.data)
  return (
    <Modal opened onClose={on_close} size="min(960px, 96vw)" title={`PDF of ${nameOf(invoice)}`}>
      {paper.isPending && <Loading what="Loading the PDF" />}
      {paper.isError && <Failure error={paper.error} again={() => void paper.refetch()} />}
      {url && <iframe title={`PDF of ${nameOf(invoice)}`} src={`${url}#navpanes=0&view=FitH`} style={{ width: '100%', height: '72dvh', border: 0 }} />}
      <Group justify="flex-end" mt="sm"><Button variant="default" onClick={() => downloadPaper(invoice)}>Download</Button></Group>
    </Modal>
  )
}

function useAddress(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
