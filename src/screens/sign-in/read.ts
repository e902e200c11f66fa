import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Screen } from '../parts/screen.ts'
import { type DoorField, doorPage, wayOutPage } from './view.ts'

/** The facts about the service for the sign-in pages. */
export interface SignInVisit {
  readonly service: { readonly addresses: Addresses; readonly provider: object | undefined }
}

export interface SignInEntered {
  readonly name?: string
  /** Where to go afterwards. */
  readonly back?: string
  /** A form that was sent after the session had ended, in the format of the sign-in. */
  readonly kept?: string
  /** What went wrong. */
  readonly fault?: Text
}

export const showSignIn =
  ({ name, back, kept, fault }: SignInEntered, { service }: SignInVisit): Screen =>
  () =>
    doorPage({
      title: say('Sign in'),
      ...(kept !== undefined && {
        lead: say('Your session has ended. Your input is kept, and sent after you sign in.'),
      }),
      ...(fault !== undefined && { fault }),
      action: service.addresses.signIn,
      submit: say('Sign in'),
      hidden: { return: back, kept },
      fields: [
        { ...text('name', say('Name'), 'username'), ...(name !== undefined && { value: name }) },
        { ...text('password', say('Password'), 'current-password'), type: 'password' },
      ],
      ...(service.provider && { other: atProvider(service.addresses.signIn, back, kept !== undefined) }),
    })

const atProvider = (signIn: string, back: string | undefined, sends: boolean) => ({
  href: `${signIn}/provider${back === undefined || sends ? '' : `?return=${encodeURIComponent(back)}`}`,
  text: say('Sign in with your organization'),
  sends,
})

/** On the way to the provider, with a form that is kept meanwhile. */
export const showWayOut =
  (address: string): Screen =>
  () =>
    wayOutPage(say('Sign in'), say('Your input is kept for ten minutes, and sent after you sign in.'), {
      href: address,
      text: say('Continue at your organization'),
    })

export interface InvitationEntered {
  readonly user: string
  readonly token: string
  /** What went wrong. */
  readonly fault?: Text
}

export const showInvitation =
  ({ user, token, fault }: InvitationEntered, { service }: SignInVisit): Screen =>
  () =>
    doorPage({
      title: say('Welcome, {user}', { user }),
      lead: say('Choose a password. You sign in as {user} with it from now on.', { user }),
      ...(fault !== undefined && { fault }),
      action: service.addresses.invitation(token),
      submit: say('Set the password and sign in'),
      // Password managers keep the name with the password.
      hidden: {},
      fields: [newPassword()],
    })

export const showUsedInvitation =
  ({ service }: SignInVisit): Screen =>
  () =>
    wayOutPage(
      say('The link is no longer valid'),
      say('The link was used, replaced by another, or has expired.'),
      { href: service.addresses.signIn, text: say('Sign in') },
      say('Ask an administrator for a new one.'),
    )

export interface SetUpEntered {
  /** Unless it was wrong. */
  readonly code?: string
  readonly name?: string
  /** What went wrong. */
  readonly fault?: Text
}

export const showSetUp =
  ({ code, name, fault }: SetUpEntered, { service }: SignInVisit): Screen =>
  () =>
    doorPage({
      title: say('Set up Dealdesk'),
      lead: say('Nobody can sign in yet. You become the first administrator; the code is in the log of the service.'),
      ...(fault !== undefined && { fault }),
      action: service.addresses.setUp,
      submit: say('Set up and sign in'),
      hidden: {},
      fields: [
        { ...text('code', say('Code from the log'), 'one-time-code'), ...(code !== undefined && { value: code }) },
        { ...text('name', say('Your name, to sign in with'), 'username'), ...(name !== undefined && { value: name }) },
        newPassword(),
      ],
    })

const text = (name: string, label: Text, autocomplete: string): DoorField => ({
  name,
  label,
  type: 'text',
  autocomplete,
})

const newPassword = (): DoorField => ({
  ...text('password', say('New password'), 'new-password'),
  type: 'password',
  note: say('At least 12 characters. Four words are better than one with digits.'),
  minLength: 12,
})

/** The fault of a chosen password. */
export const weakPassword = say(
  'The password must have at least 12 characters, and must not be a common word with digits.',
)
