import { setTimeout as sleep } from 'node:timers/promises';
import { listMailboxEntries } from '../providers/mail/mailbox-reader.ts';

const OTP_TIMEOUT_MS = 15_000;

export async function waitForMailedOtp(mailboxDir: string, email: string): Promise<string> {
  const deadline = Date.now() + OTP_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const mail = (await listMailboxEntries(mailboxDir)).find(({ to }) => to === email);
    const otp = /^\d{6}/.exec(mail?.subject ?? '')?.[0];
    if (otp) return otp;
    await sleep(100);
  }
  throw new Error(
    `No code for ${email} arrived in ${mailboxDir}. Is this the data folder of the running service?`,
  );
}
