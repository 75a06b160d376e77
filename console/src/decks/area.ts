// What the figures say: decks of slides to present and share, and boards of live figures.
import { area } from '../area.ts'

export const decks = area({
  title: 'Insight',
  entries: [
    { path: '/decks', load: () => import('./decks.tsx'), name: 'DecksPage', menu: 'Decks' },
    { path: '/decks/new', load: () => import('./new-deck.tsx'), name: 'NewDeckPage' },
    { path: '/decks/$deck_id', load: () => import('./deck.tsx'), name: 'DeckPage' },
    { path: '/decks/$deck_id/edit', load: () => import('./editor.tsx'), name: 'DeckEditorPage' },
    { path: '/dashboards', load: () => import('./dashboards.tsx'), name: 'DashboardsPage', menu: 'Boards' },
    { path: '/dashboards/$dashboard_id', load: () => import('./dashboard.tsx'), name: 'DashboardPage' },
    { path: '/reports/key-figures', load: () => import('./key-figures.tsx'), name: 'KeyFiguresPage' },
  ],
})
