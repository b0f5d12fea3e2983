import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@qr-profile-service/client';
import pg from 'pg';
import type { BenchedService } from '../../bench/service-process.ts';
import { addDemoPicture } from '../../src/commands/demo-content.ts';
import { waitForMailedOtp } from '../../src/commands/demo-mailbox.ts';
import { listMailboxEntries, readMailboxMail } from '../../src/providers/mail/mailbox-reader.ts';

export const OWNER_SIGN_IN = { email: 'ada@example.org', password: 'a lighthouse for lost dogs' };

export interface ScreenshotOwner {
  base: string;
  /**
   * Send an authenticated request.
   * @throws Error for a status of 400 and more
   */
  call(method: string, path: string, body?: object): Promise<ApiResponse>;
  code(body?: object): Promise<string>;
  addPicture(id: string): Promise<void>;
  expire(id: string): Promise<void>;
  /** Wait for the mail about a code or memory tag that leads to a page without a login, and return its link. */
  findOwnerLink(title: string): Promise<string>;
}

interface ApiResponse {
  [member: string]: unknown;
}

export async function createOwner(
  service: Pick<BenchedService, 'port' | 'folder' | 'applicationUrl'>,
): Promise<ScreenshotOwner> {
  const base = `http://localhost:${service.port}`;
  let token = '';
  const call = async (method: string, path: string, body?: object): Promise<ApiResponse> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as ApiResponse);
  };
  await call('POST', '/api/auth/register', OWNER_SIGN_IN);
  const otp = await waitForMailedOtp(join(service.folder, 'mailbox'), OWNER_SIGN_IN.email);
  token = String(
    (await call('POST', '/api/auth/verify-otp', { email: OWNER_SIGN_IN.email, otp })).accessToken,
  );
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await call('POST', '/api/auth/create-profile', profile);

  const dog = { name: 'Rex', species: 'Dog', notes: 'Friendly, but afraid of thunder.' };
  const code = async (body: object = {}) =>
    String((await call('POST', '/api/qrcodes', { kind: 'PET', title: 'Rex', data: dog, ...body })).id);
  // The API rejects a new code that has already expired.
  const expire = async (id: string) => {
    const client = new pg.Client({ connectionString: service.applicationUrl });
    await client.connect();
    await client.query('UPDATE qr_codes SET expires_at = now() WHERE id = $1', [id]);
    await client.end();
  };
  const mailbox = join(service.folder, 'mailbox');
  const findOwnerLink = async (title: string) => {
    for (;;) {
      for (const { file, subject } of await listMailboxEntries(mailbox, 200)) {
        const mail = subject.includes(title) ? await readMailboxMail(mailbox, file) : null;
        const link = /\/s\/o\/\S+/.exec(mail?.text ?? '')?.[0];
        if (link) return base + link;
      }
      await wait(100);
    }
  };
  const client = createClient({ baseUrl: base, token });
  return { base, call, code, findOwnerLink, addPicture: (id) => addDemoPicture(client, id), expire };
}
