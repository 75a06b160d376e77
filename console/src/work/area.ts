// What people work on beside the books: documents, tasks and notes; and long jobs and exports.
import { area } from '../area.ts'

export const work = area({
  title: 'Work',
  entries: [
    { path: '/documents', load: () => import('./documents.tsx'), name: 'DocumentsPage', menu: 'Documents' },
    { path: '/documents/$document_id', load: () => import('./document.tsx'), name: 'DocumentPage' },
    { path: '/todos', load: () => import('./todos.tsx'), name: 'TodosPage', menu: 'Tasks' },
    { path: '/todos/$todo_id', load: () => import('./todo.tsx'), name: 'TodoPage' },
    { path: '/notes', load: () => import('./notes.tsx'), name: 'NotesPage', menu: 'Notes' },
    { path: '/notes/$note_id', load: () => import('./note.tsx'), name: 'NotePage' },
    { path: '/imports', load: () => import('./imports.tsx'), name: 'ImportsPage', menu: 'Imports' },
    { path: '/imports/new', load: () => import('./new-import.tsx'), name: 'NewImportPage' },
    { path: '/imports/$import_id', load: () => import('./import.tsx'), name: 'ImportPage' },
    { path: '/exports', load: () => import('./exports.tsx'), name: 'ExportsPage', menu: 'Exports' },
    { path: '/jobs', load: () => import('./jobs.tsx'), name: 'JobsPage', menu: 'Jobs' },
    { path: '/jobs/$job_id', load: () => import('./job.tsx'), name: 'JobPage' },
  ],
})
