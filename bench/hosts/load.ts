import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForMailedOtp } from '../../src/commands/demo-mailbox.ts';
import { uploadFile } from '../files/multipart-upload.ts';
import { PUBLIC_URL } from './service-hosts.ts';

const OWNER = { email: 'owner@example.org', password: 'a lighthouse for lost dogs' };

export const WRITE_KINDS = ['scan', 'message', 'upload', 'registration'] as const;

export type RequestKind = (typeof WRITE_KINDS)[number] | 'read';

/** One request; times are those of `performance.now()`. */
export interface LoadResult {
  kind: RequestKind;
  /** What was broken when it was sent. */
  fault: string;
  sentAt: number;
  /** Infinity until it is answered. */
  answeredAt: number;
  /** 0 without an answer. */
  status: number;
  /** Of the created record; the address of a registration. */
  id: string;
  /** When it was answered, in milliseconds since 1970. */
  at: number;
}

/** Milliseconds between two requests. Each is sent in time, however long the others wait. */
const INTERVALS: Record<RequestKind, number> = {
  scan: 125,
  message: 500,
  upload: 500,
  registration: 2_000,
  read: 500,
};

const ANSWER_TIMEOUT_MS = 25_000;
const UPLOAD_BYTES = 5_000;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export type Owner = Awaited<ReturnType<typeof createOwner>>;

/** Register a user who owns a code, while one worker runs; its mailbox has the code of the email. */
export async function createOwner(workerFolder: string) {
  await expectOk('/api/auth/register', OWNER);
  const otp = await waitForMailedOtp(join(workerFolder, 'mailbox'), OWNER.email);
  const { accessToken } = await expectOk('/api/auth/verify-otp', { email: OWNER.email, otp });
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await expectOk('/api/auth/create-profile', profile, { authorization: `Bearer ${accessToken}` });
  const data = { name: 'Rex', species: 'Dog' };
  const owner = {
    token: String(accessToken),
    qrCodeId: '',
    async logIn() {
      const answer = await post('/api/auth/login', OWNER);
      if (answer.status === 200) owner.token = String(answer.body.accessToken);
      return answer;
    },
  };
  const code = await expectOk(
    '/api/qrcodes',
    { kind: 'PET', title: 'Rex', data },
    { authorization: `Bearer ${owner.token}` },
  );
  owner.qrCodeId = String(code.id);
  return owner;
}

/** Send requests through the proxy at a constant rate until stopped. */
export function startLoad(owner: Owner) {
  const results: LoadResult[] = [];
  const pending = new Set<Promise<void>>();
  let fault = 'none';
  let count = 0;
  let reads = 0;
  /** Each stranger has a network of their own, for limits by address. */
  const createAddress = () => {
    count += 1;
    return { 'x-forwarded-for': `198.${(count >> 8) & 255}.${count & 255}.1` };
  };

  async function record(kind: RequestKind, send: () => Promise<Answer>, readId: (answer: Answer) => unknown) {
    const result: LoadResult = {
      kind,
      fault,
      sentAt: performance.now(),
      answeredAt: Infinity,
      status: 0,
      id: '',
      at: 0,
    };
    results.push(result);
    const answer = await send().catch(() => null);
    result.answeredAt = performance.now();
    result.at = Date.now();
    result.status = answer?.status ?? 0;
    if (!answer || !isSuccess(result)) return null;
    result.id = String(readId(answer));
    return answer.body;
  }

  async function scan(): Promise<Record<string, unknown> | null> {
    const body = { qrCodeId: owner.qrCodeId };
    return record(
      'scan',
      () => post('/api/scans/public', body, createAddress()),
      (answer) => (answer.body.scan as { id: string }).id,
    );
  }

  const requests: Record<RequestKind, () => Promise<unknown>> = {
    scan,
    async message() {
      const scanned = await scan();
      if (!scanned) return;
      const { id: scanId } = scanned.scan as { id: string };
      const body = { scanId, message: 'I found Rex.' };
      const headers = { 'x-scan-token': String(scanned.scanToken), ...createAddress() };
      await record(
        'message',
        () => post('/api/conversations/public', body, headers),
        (answer) => (answer.body.message as { id: string }).id,
      );
    },
    upload() {
      count += 1;
      const file = { bytes: UPLOAD_BYTES, prefix: `document ${count}` };
      const send = () => withinTime(uploadFile(`${PUBLIC_URL}/api/documents`, owner.token, file));
      return record('upload', send, ({ body }) => `${body.id} ${file.prefix}`);
    },
    registration() {
      count += 1;
      const email = `user-${count}@example.org`;
      const send = () => post('/api/auth/register', { email, password: OWNER.password }, createAddress());
      return record('registration', send, () => email);
    },
    // A token of one instance is then used on another.
    async read() {
      reads += 1;
      if (reads % 4 === 0) await record('read', owner.logIn, () => '');
      await record(
        'read',
        () => call('/api/dashboard/cards', { headers: { authorization: `Bearer ${owner.token}` } }),
        () => '',
      );
    },
  };

  const timers = (Object.keys(INTERVALS) as RequestKind[]).map((kind) =>
    setInterval(() => {
      const request: Promise<void> = requests[kind]().then(
        () => void pending.delete(request),
        () => void pending.delete(request),
      );
      pending.add(request);
    }, INTERVALS[kind]),
  );
  return {
    results,
    setFault(name: string) {
      fault = name;
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(pending);
    },
  };
}

export function isSuccess({ status }: Pick<LoadResult, 'status'>): boolean {
  return status >= 200 && status < 300;
}

export function createUploadContent(id: string) {
  return { bytes: UPLOAD_BYTES, prefix: id.slice(id.indexOf(' ') + 1) };
}

async function expectOk(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await post(path, body, headers);
  if (!isSuccess(answer))
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return call(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

async function call(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(PUBLIC_URL + path, {
    ...init,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const limit = sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error('There was no answer in time.');
  });
  return Promise.race([work, limit]);
}
