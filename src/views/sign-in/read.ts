import type { Addresses, View } from '../parts/visit.ts'
import { type DoorField, doorPage, wayOutPage } from './view.ts'

/** What a door needs to know of the service. */
export interface SignInVisit {
  readonly service: { readonly addresses: Addresses; readonly provider: object | undefined }
}

export interface SignInEntered {
  readonly name?: string
  /** Where to go then. */
  readonly back?: string
  /** A form that was sent after the session had ended, as the sign-in reads it. */
  readonly kept?: string
  readonly fault?: string
}

export const showSignIn =
  ({ name, back, kept, fault }: SignInEntered, { service }: SignInVisit): View =>
  () =>
    doorPage({
      title: 'Sign in',
      ...(kept !== undefined && {
        lead: 'Your session has ended. What you entered is kept, and sent when you are signed in.',
      }),
      ...(fault !== undefined && { fault }),
      action: service.addresses.signIn,
      submit: 'Sign in',
      hidden: { return: back, kept },
      fields: [
        { ...text('name', 'Name', 'username'), ...(name !== undefined && { value: name }) },
        { ...text('password', 'Password', 'current-password'), type: 'password' },
      ],
      ...(service.provider && { other: atProvider(service.addresses.signIn, back, kept !== undefined) }),
    })

const atProvider = (signIn: string, back: string | undefined, sends: boolean) => ({
  href: `${signIn}/provider${back === undefined || sends ? '' : `?return=${encodeURIComponent(back)}`}`,
  text: 'Sign in with your organization',
  sends,
})

/** On the way to the provider, with a form that is kept meanwhile. */
export const showWayOut =
  (address: string): View =>
  () =>
    wayOutPage('Sign in', 'What you entered is kept for ten minutes, and sent when you are signed in.', {
      href: address,
      text: 'Continue at your organization',
    })

export interface InvitationEntered {
  readonly user: string
  readonly token: string
  readonly fault?: string
}

export const showInvitation =
  ({ user, token, fault }: InvitationEntered, { service }: SignInVisit): View =>
  () =>
    doorPage({
      title: `Welcome, ${user}`,
      lead: `Choose a password. You sign in as ${user} with it from now on.`,
      ...(fault !== undefined && { fault }),
      action: service.addresses.invitation(token),
      submit: 'Set the password and sign in',
      // Password managers keep the name with the password.
      hidden: {},
      fields: [newPassword],
    })

export interface SetUpEntered {
  readonly name?: string
  readonly fault?: string
}

export const showSetUp =
  ({ name, fault }: SetUpEntered, { service }: SignInVisit): View =>
  () =>
    doorPage({
      title: 'Set up Dealdesk',
      lead: 'Nobody can sign in yet. You become the first administrator; the code is in the log of the service.',
      ...(fault !== undefined && { fault }),
      action: service.addresses.setUp,
      submit: 'Set up and sign in',
      hidden: {},
      fields: [
        text('code', 'Code from the log', 'one-time-code'),
        { ...text('name', 'Your name, to sign in with', 'username'), ...(name !== undefined && { value: name }) },
        newPassword,
      ],
    })

const text = (name: string, label: string, autocomplete: string): DoorField => ({
  name,
  label,
  type: 'text',
  autocomplete,
})

const newPassword: DoorField = {
  ...text('password', 'New password', 'new-password'),
  type: 'password',
  note: 'At least 12 characters. Four words are better than one with digits.',
  minLength: 12,
}
