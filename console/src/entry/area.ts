// The way in: signing in and up, what mails lead to, and the set-up of a business.
import { area } from '../area.ts'

export const entry = area({
  title: '',
  entries: [
    { path: '/sign-in', load: () => import('./sign-in.tsx'), name: 'SignIn', open: true },
    { path: '/sign-up', load: () => import('./sign-up.tsx'), name: 'SignUp', open: true },
    { path: '/forgot-password', load: () => import('./forgot-password.tsx'), name: 'ForgotPassword', open: true },
    { path: '/reset-password', load: () => import('./reset-password.tsx'), name: 'ResetPassword', open: true },
    { path: '/verify-email', load: () => import('./mail-links.tsx'), name: 'VerifyEmail', open: true },
    { path: '/confirm-email', load: () => import('./mail-links.tsx'), name: 'ConfirmEmail', open: true },
    { path: '/undo-email', load: () => import('./mail-links.tsx'), name: 'UndoEmail', open: true },
    { path: '/unsubscribe', load: () => import('./mail-links.tsx'), name: 'Unsubscribe', open: true },
    { path: '/invitation', load: () => import('./invitation.tsx'), name: 'InvitationPage', open: true },
    { path: '/new-business', load: () => import('./new-business.tsx'), name: 'NewBusiness' },
    { path: '/welcome', load: () => import('./welcome.tsx'), name: 'Welcome' },
  ],
})
