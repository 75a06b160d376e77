// How the console is built: one page, parts that are loaded when they are first needed, nothing from elsewhere.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // Charts are large and most pages have none: they come by themselves.
    chunkSizeWarningLimit: 900,
  },
  // For work on the console itself: the API runs beside it.
  server: { proxy: { '/api': process.env['DAYBOOK_URL'] ?? 'http://127.0.0.1:8080' } },
})
