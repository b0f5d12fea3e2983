import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import type { Test } from 'tap';
import { listMailboxEntries, readMailboxMail } from '../../../../src/providers/mail/mailbox-reader.ts';
import { TEST_PASSWORD, type TestApp, type TestResponse } from '../../../helper.ts';

export const TEST_PROFILE = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };

export function runConcurrently<Result>(
  times: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)));
}

export function countStatuses(answers: readonly TestResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Check for a problem document of this status and code; 429 and 503 need Retry-After. */
export function isProblem(answer: TestResponse, status: number, code: string): boolean {
  const hasRetryAfter = status !== 429 && status !== 503 ? true : Number(answer.headers['retry-after']) >= 1;
  const type = String(answer.headers['content-type']).startsWith('application/problem+json');
  const { body } = answer;
  return answer.status === status && type && hasRetryAfter && body.code === code && body.status === status;
}

/** List the mails to an address once no jobs are pending. */
export async function listMailsTo(app: TestApp, email: string) {
  await app.getLastMail(email);
  const { mailboxDir } = app.services;
  const entries = (await listMailboxEntries(mailboxDir, 200)).filter((mail) => mail.to === email);
  return Promise.all(entries.map(async ({ file, subject }) => ({ file, subject, text: await text(file) })));

  async function text(file: string): Promise<string> {
    return (await readMailboxMail(mailboxDir, file))?.text ?? '';
  }
}

export async function listMailsCausedBy(app: TestApp, email: string, work: () => Promise<unknown>) {
  const before = (await listMailsTo(app, email)).map(({ file }) => file);
  await work();
  return (await listMailsTo(app, email)).filter(({ file }) => !before.includes(file));
}

/** Register an address and return the mailed code of this registration. */
export async function registerAndGetOtp(
  app: TestApp,
  email: string,
  password = TEST_PASSWORD,
): Promise<string> {
  const [mail] = await listMailsCausedBy(app, email, () =>
    app.call('POST', '/api/auth/register', { body: { email, password } }),
  );
  return findOtpInMail(mail);
}

export async function resendAndGetOtp(app: TestApp, email: string): Promise<string> {
  const [mail] = await listMailsCausedBy(app, email, () =>
    app.call('POST', '/api/auth/resend-otp', { body: { email } }),
  );
  return findOtpInMail(mail);
}

/** Request a password reset and return the token of the mailed link; empty without a mail. */
export async function requestResetToken(app: TestApp, email: string): Promise<string> {
  const [mail] = await listMailsCausedBy(app, email, () =>
    app.call('POST', '/api/auth/forgot-password', { body: { email } }),
  );
  return /#token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}

export function createDifferentOtp(...codes: string[]): string {
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !codes.includes(code)) ?? ''
  );
}

export function findAuditEntries(app: TestApp, ...actions: string[]) {
  return app.database.client.auditEntry.findMany({
    where: { action: { in: actions } },
    orderBy: { createdAt: 'asc' },
  });
}

/** Run SQL without the service. */
export async function queryDatabase(app: TestApp, text: string, ...values: unknown[]) {
  const { rows } = await app.database.pool.query(text, values);
  return rows;
}

/** Capture the SQL statements of an operation, without values; jobs are paused meanwhile. */
export async function captureStatements(
  t: Test,
  app: TestApp,
  work: () => Promise<unknown>,
): Promise<string[]> {
  await app.services.jobs.stop();
  const calls = t.capture(pg.Client.prototype, 'query', pg.Client.prototype.query);
  await work();
  const texts = calls().map(({ args: [query] }) => {
    const config: unknown = query;
    return typeof config === 'object' && config !== null
      ? String(Reflect.get(config, 'text'))
      : String(config);
  });
  calls.restore();
  // Written periodically, not by a request.
  return texts.filter((text) => !text.includes('rate_counters'));
}

export function createProfileForm(fields: Record<string, string>, picture?: Buffer) {
  const boundary = 'XXfixedXX';
  const parts: Buffer[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  if (picture) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="profilePicture"; filename="me.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
    parts.push(Buffer.from(head), picture, Buffer.from('\r\n'));
  }
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

/** With metadata that must not survive. */
export function createTestPhoto(red = 200): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 40, channels: 3, background: { r: red, g: 30, b: 30 } } })
    .withExif({ IFD0: { Artist: 'canary-artist' } })
    .jpeg()
    .toBuffer();
}

export function listStoredPictures({ dataDir }: TestApp): Promise<string[]> {
  return readdir(join(dataDir, 'uploads', 'profile-pictures'));
}

export function findOtpInMail(mail: { subject: string } | undefined): string {
  return /^\d{6}/.exec(mail?.subject ?? '')?.[0] ?? '';
}
