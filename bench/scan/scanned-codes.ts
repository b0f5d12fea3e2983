import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { petQrCodeKind } from '../../src/features/codes/kinds/pet.ts';

const PASSWORD = randomBytes(18).toString('base64url');
const EMAIL = 'bench@example.org';

/** Codes of kind PET in addition: codes of kind URL have no page. */
const PAGE_CODE_COUNT = 100;

/** Create an account with URL codes without a PIN and some codes with a page; returns their ids. */
export async function createScannedCodes(
  base: string,
  ownerUrl: string,
  count: number,
): Promise<{ codes: string[]; pages: string[] }> {
  const { post } = await createOwner(base, ownerUrl);
  const codes: string[] = [];
  const pages: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const data = { url: `https://example.org/${index}` };
    const { id = '' } = await post('/api/qrcodes', { kind: 'URL', title: `Code ${index}`, data });
    codes.push(id);
    if (index % 100 === 99) process.stderr.write(`${index + 1} of ${count} codes\n`);
  }
  while (pages.length < PAGE_CODE_COUNT) {
    const { example: data } = petQrCodeKind;
    const { id = '' } = await post('/api/qrcodes', {
      kind: 'PET',
      title: 'Rex',
      data,
      visibility: { owner: 'PUBLIC' },
    });
    pages.push(id);
  }
  return { codes, pages };
}

/** Create the first account of a running service, without a code limit. */
export async function createOwner(base: string, ownerUrl: string) {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(`UPDATE subscription_packages SET limits = limits || '{"qrCodes": null}'`);
  } finally {
    await owner.end();
  }
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  await post('/api/auth/register', { email: EMAIL, password: PASSWORD });
  const otp = await waitForOtp(base);
  const { accessToken = '' } = await post('/api/auth/verify-otp', { email: EMAIL, otp });
  const profile = { firstName: 'Bench', lastName: 'Mark', accountType: 'INDIVIDUAL' };
  await post('/api/auth/create-profile', profile, accessToken);
  return {
    token: accessToken,
    post: (path: string, body: object) => post(path, body, accessToken),
    async logIn(): Promise<string> {
      const { accessToken: token = '' } = await post('/api/auth/login', { email: EMAIL, password: PASSWORD });
      return token;
    },
  };
}

async function waitForOtp(base: string): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const page = await (await fetch(`${base}/api/sandbox/mailbox`)).text();
    const [, otp] = />(\d{6}) /.exec(page) ?? [];
    if (otp) return otp;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('No mail came.');
}
