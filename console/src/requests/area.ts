// Papers: what people outside are asked for, and what they sent.
import { area } from '../area.ts'

export const requests = area({
  title: 'Papers',
  entries: [
    { path: '/papers', load: () => import('./requests.tsx'), name: 'Requests', menu: 'Requests' },
    { path: '/papers/new', load: () => import('./request-form.tsx'), name: 'NewRequest' },
    { path: '/papers/templates', load: () => import('./templates.tsx'), name: 'Templates', menu: 'Templates' },
    { path: '/papers/templates/new', load: () => import('./template-form.tsx'), name: 'NewTemplate' },
    { path: '/papers/templates/$template_id', load: () => import('./template-form.tsx'), name: 'EditTemplate' },
    { path: '/papers/$request_id', load: () => import('./request.tsx'), name: 'RequestPage' },
    { path: '/papers/$request_id/edit', load: () => import('./request-form.tsx'), name: 'EditRequest' },
  ],
})
