// The console: what owners, bookkeepers and advisors look at. It speaks to the public API only.
import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/notifications/styles.css'
import './console.css'
import { createTheme, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isFinal } from './api.ts'
import { router } from './router.tsx'

// A cross says nothing to those who hear the page.
const closable = { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }
const theme = createTheme({
  primaryColor: 'blue', defaultRadius: 'md', fontFamily: 'system-ui, "Segoe UI", Roboto, sans-serif', cursorType: 'pointer',
  components: { Modal: closable, Drawer: closable, Notification: closable },
})

const queries = new QueryClient({
  defaultOptions: {
    // What the API has decided does not change by asking again.
    queries: { staleTime: 15_000, retry: (count, error) => count < 2 && !isFinal(error) },
    mutations: { retry: false },
  },
})

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} context={{ queries }} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
