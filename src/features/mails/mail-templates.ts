import { escapeHtml } from '../../shared/html.ts';

/** What a mail says. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** Every mail of the service and the values it needs. */
export interface MailValues {
  OTP: { otp: string; minutes: number; registeredAt: Date };
  /** Codes of several registrations of one address, newest first. */
  OTP_CHOICE: { codes: readonly { otp: string; registeredAt: Date }[]; minutes: number };
  ALREADY_REGISTERED: Record<string, never>;
  PASSWORD_RESET: { link: string; minutes: number };
  PASSWORD_RESET_DONE: Record<string, never>;
  PASSWORD_CHANGED: Record<string, never>;
  SESSION_ENDED_BY_REUSE: Record<string, never>;
  GLASS_BROKEN: { at: Date; minutes: number };
  IDENTITY_LINKED: { provider: string };
  IDENTITY_UNLINKED: { provider: string };
  SECOND_FACTOR_ON: Record<string, never>;
  SECOND_FACTOR_OFF: Record<string, never>;
  SECOND_FACTOR_REMOVED: Record<string, never>;
  RECOVERY_CODES_RENEWED: Record<string, never>;
  RECOVERY_CODE_USED: { left: number };
  ENTERPRISE_MODE_ON: Record<string, never>;
  ENTERPRISE_MODE_OFF: Record<string, never>;
  /** Family of the agent and network alone: nothing that a client sent. */
  NEW_DEVICE_LOGIN: { agent: string; network: string; at: Date };
  /** When the archive is removed; null where it was sent at once and not kept. */
  DATA_EXPORTED: { keptUntil: Date | null };
  ACCOUNT_ERASED: Record<string, never>;
}

export type MailTemplate = keyof MailValues;

type Wording = { subject: string; lines: string[] };

/** The mail of a template with its values, as plain text and as HTML that says the same. */
export function renderMail<T extends MailTemplate>(template: T, values: MailValues[T]): MailText {
  const { subject, lines } = WORDING[template](values);
  const paragraphs = lines.map((line) => `<p>${linked(escapeHtml(line))}</p>`).join('\n');
  return {
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>\n<body>\n${paragraphs}\n</body></html>\n`,
  };
}

const WORDING: { [T in MailTemplate]: (values: MailValues[T]) => Wording } = {
  OTP: ({ otp, minutes, registeredAt }) => ({
    subject: `${otp} is your confirmation code`,
    lines: [
      `Your confirmation code: ${otp}`,
      `It is for the registration of ${clockTime(registeredAt)}, with the password given then. It works once, within ${minutes} minutes.`,
      'If you did not register at that time, ignore this mail and give the code to nobody: whoever has it can open an account for your address.',
    ],
  }),
  OTP_CHOICE: ({ codes, minutes }) => ({
    subject: `${codes.map(({ otp }) => otp).join(' or ')} is your confirmation code: please choose`,
    lines: [
      'This address was registered several times, with different passwords. Enter the code of your own registration, by its time:',
      ...codes.map(({ otp, registeredAt }) => `${otp} for the registration of ${clockTime(registeredAt)}`),
      `The code that you enter decides which password opens the account. It works once, within ${minutes} minutes.`,
      'If a registration is not yours, do not enter its code and give it to nobody: whoever registered would know the password. If none is, ignore this mail.',
    ],
  }),
  ALREADY_REGISTERED: () => ({
    subject: 'You already have an account',
    lines: [
      'Somebody, perhaps you, tried to register this address. It has an account already; nothing was changed.',
      'If you forgot your password, ask for a new one where you log in.',
    ],
  }),
  PASSWORD_RESET: ({ link, minutes }) => ({
    subject: 'Choose a new password',
    lines: [
      'Somebody, perhaps you, asked for a new password for this address. Follow this link to choose one:',
      link,
      `It works once, within ${minutes} minutes. If it was not you, ignore this mail; your password stays.`,
    ],
  }),
  PASSWORD_RESET_DONE: () => ({
    subject: 'Your password was replaced',
    lines: [
      'Your password was replaced by way of a link sent to this address, and every session was ended.',
      'If it was not you, ask for a new password at once.',
    ],
  }),
  PASSWORD_CHANGED: () => ({
    subject: 'Your password was changed',
    lines: [
      'Your password was changed, and every other session was ended.',
      'If it was not you, ask for a new password at once.',
    ],
  }),
  SESSION_ENDED_BY_REUSE: () => ({
    subject: 'A session was ended for your safety',
    lines: [
      'A token of one of your sessions was used a second time, which happens when it was copied. The session was ended.',
      'Log in again. If you are not sure who has access to your devices, change your password.',
    ],
  }),
  GLASS_BROKEN: ({ at, minutes }) => ({
    subject: 'An administrator opened a record of yours',
    lines: [
      `On ${clockTime(at)} an administrator of this service stated an emergency and may read one record of yours for ${minutes} minutes.`,
      'Log in to see which one: your notifications name it, and your audit list says when it was read. The reason is kept for auditors.',
      'If you do not expect this, ask the operator of the service.',
    ],
  }),
  IDENTITY_LINKED: ({ provider }) => ({
    subject: 'Your account opens by an identity provider now',
    lines: [
      `Somebody who signed in at ${provider} with this address, which it has verified, was let into your account. From now on that sign-in opens it.`,
      'If it was not you, secure your account at the provider, take the identity off your account, and change your password.',
    ],
  }),
  IDENTITY_UNLINKED: ({ provider }) => ({
    subject: 'An identity provider was taken off your account',
    lines: [
      `Signing in at ${provider} opens your account no more, and every other session was ended.`,
      'If it was not you, ask for a new password at once.',
    ],
  }),
  SECOND_FACTOR_ON: () => ({
    subject: 'A second factor was switched on',
    lines: [
      'From now on a code of your authenticator application is needed to log in. Every other session was ended.',
      'Keep the recovery codes where you find them without your phone: each opens the account once.',
      'If it was not you, ask for a new password at once and write to the operator of the service.',
    ],
  }),
  SECOND_FACTOR_OFF: () => ({
    subject: 'Your second factor was switched off',
    lines: [
      'From now on the password alone opens your account. Every other session was ended.',
      'If it was not you, ask for a new password at once, then switch the second factor on again.',
    ],
  }),
  SECOND_FACTOR_REMOVED: () => ({
    subject: 'An administrator took the second factor off your account',
    lines: [
      'From now on the password alone opens your account, until you set a second factor up again. Every session was ended.',
      'If you did not ask for it, ask for a new password at once and write to the operator of the service.',
    ],
  }),
  RECOVERY_CODES_RENEWED: () => ({
    subject: 'You have new recovery codes',
    lines: [
      'New recovery codes were made for your account; the old ones are void.',
      'If it was not you, ask for a new password at once.',
    ],
  }),
  RECOVERY_CODE_USED: ({ left }) => ({
    subject: 'A recovery code was used to log in',
    lines: [
      `Somebody logged in to your account with one of its recovery codes. Left: ${left}.`,
      'If it was not you, ask for a new password at once, then make new recovery codes.',
    ],
  }),
  ENTERPRISE_MODE_ON: () => ({
    subject: 'Your account is in enterprise mode now',
    lines: [
      'Stricter rules hold for your account from now on: a second factor is needed, and sessions are shorter.',
      'If you have no second factor yet, you are asked to set one up before anything else.',
    ],
  }),
  ENTERPRISE_MODE_OFF: () => ({
    subject: 'Your account is not in enterprise mode any more',
    lines: [
      'The stricter rules do not hold for your account any more. A second factor stays until you switch it off.',
      'If you did not expect that, write to the operator of the service.',
    ],
  }),
  NEW_DEVICE_LOGIN: ({ agent, network, at }) => ({
    subject: 'A log-in from a new device',
    lines: [
      `Somebody, perhaps you, logged in to your account from a device and a network that it was not used from before: ${agent}, network ${network}, ${clockTime(at)}.`,
      'If it was not you, choose a new password at once: that ends every session.',
    ],
  }),
  DATA_EXPORTED: ({ keptUntil }) => ({
    subject: 'A copy of your data was made',
    lines: [
      keptUntil
        ? `The archive of your data that you asked for is ready. Log in and fetch it before ${clockTime(keptUntil)}; then it is removed.`
        : 'An archive of all your data was made and fetched from your account.',
      'If it was not you, change your password at once.',
    ],
  }),
  ACCOUNT_ERASED: () => ({
    subject: 'Your account was erased',
    lines: [
      'Your account was erased, as you asked: nobody can log in, and your codes show nothing any more. Pictures and what else there is of files are being removed.',
      'This cannot be undone. Your address is free for a new account. This is the last mail you get from us.',
    ],
  }),
};

function clockTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function linked(html: string): string {
  return /^https?:\/\/\S+$/.test(html) ? `<a href="${html}">${html}</a>` : html;
}
