// The logo: the picture on documents and on the pages that customers see.
import { Button, FileButton, Group, Image, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, ApiError, dataOf } from '../api.ts'
import { Failure, Loading, say } from '../parts/feedback.tsx'

const MOST_BYTES = 524_288

async function readLogo(business_id: string): Promise<string | null> {
  try {
    const { data } = await api.GET('/api/v1/businesses/{business_id}/logo', { params: { path: { business_id } }, parseAs: 'blob' })
    return await inBase64(data as unknown as Blob)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** As an address that holds the whole file. */
const inBase64 = (file: Blob): Promise<string> => new Promise((done, failed) => {
  const reader = new FileReader()
  reader.addEventListener('load', () => done(reader.result as string))
  reader.addEventListener('error', () => failed(new Error('The file cannot be read.')))
  reader.readAsDataURL(file)
})

export function Logo({ business_id }: { business_id: string }) {
  const queries = useQueryClient()
  const logo = useQuery({ queryKey: ['businesses', business_id, 'logo'], queryFn: () => readLogo(business_id) })
  const params = { path: { business_id } }
  const changed = (message: string) => {
    say(message)
    void queries.invalidateQueries({ queryKey: ['businesses', business_id, 'logo'] })
  }
  const put = useMutation({
    async mutationFn(file: File) {
      if (file.size > MOST_BYTES) throw new Error('The picture is larger than 512 KiB. Choose a smaller one.')
      const content_base64 = (await inBase64(file)).split(',')[1] ?? ''
      return await dataOf(api.PUT('/api/v1/businesses/{business_id}/logo', { params, body: { file_name: file.name, content_base64 } }))
    },
    onSuccess: () => changed('The logo was set.'),
  })
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/v1/businesses/{business_id}/logo', { params }), onSuccess: () => changed('The logo was removed.'),
  })
  if (logo.isPending) return <Loading />
  if (logo.isError) return <Failure error={logo.error} again={() => void logo.refetch()} />
  return (
    <Stack align="flex-start" gap="xs">
      {logo.data
        ? <Paper withBorder p="sm" bg="white"><Image src={logo.data} alt="The logo of the business" fit="contain" mah={96} maw={280} /></Paper>
        : <Text size="sm">There is no logo yet.</Text>}
      <Text size="sm" c="dimmed">A PNG or JPEG of at most 512 KiB. It stands on documents, in mail and on the pages that customers see.</Text>
      {put.isError && <Failure error={put.error} />}
      {remove.isError && <Failure error={remove.error} />}
      <Group gap="xs">
        <FileButton accept="image/png,image/jpeg" onChange={(file) => file && put.mutate(file)}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={put.isPending}>{logo.data ? 'Choose another picture' : 'Choose a picture'}</Button>
          )}
        </FileButton>
        {logo.data && <Button variant="default" size="xs" loading={remove.isPending} onClick={() => remove.mutate()}>Remove</Button>}
      </Group>
    </Stack>
  )
}
