// The first look at a business, what people are told, what they look for, and the way from addresses of the API and of mails to pages.
import { area } from '../area.ts'

export const home = area({
  title: '',
  entries: [
    { path: '/', load: () => import('./home.tsx'), name: 'Home', menu: 'Home' },
    { path: '/notifications', load: () => import('./notifications.tsx'), name: 'NotificationsPage', menu: 'Notifications' },
    { path: '/search', load: () => import('./search.tsx'), name: 'SearchPage' },
    // Mails name it so; without this it would be an invoice.
    { path: '/invoices/collections', load: () => import('./elsewhere.tsx'), name: 'Elsewhere' },
    { path: '/$', load: () => import('./elsewhere.tsx'), name: 'Elsewhere' },
  ],
})
