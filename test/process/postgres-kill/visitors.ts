import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeRawRequest, openRawConnection, type RawAnswer } from '../../raw-connection.ts';

/** Response to a scan; times are those of `performance.now()`. */
export interface ScanResponse {
  status: number;
  sentAt: number;
  at: number;
}

export interface SentScan {
  /** Sent in the user agent of one-time visitors, to find the scan again. */
  number: number;
  isNamed: boolean;
  id: string | null;
}

export interface VisitorResults {
  withoutKey: SentScan[];
  /** One per key, however often it was sent. */
  withIdempotencyKey: SentScan[];
  medical: SentScan[];
  repeats: number;
  unavailableResponses: number;
  /** Unexpected responses (neither 201 nor 503 with Retry-After) and broken connections. */
  errors: string[];
}

interface VisitorOptions {
  port: number;
  codes: readonly string[];
  medicalCode: string;
  connections: { withoutKey: number; medical: number; withKey: number };
  onAnswer(response: ScanResponse): void;
}

/** Delay after a 503; shorter than Retry-After, as an impatient client would. */
const RETRY_DELAY_MS = 50;

/** Scan without a pause until stopped, then repeat scans with a key until they are acknowledged. */
export async function startVisitors(options: VisitorOptions): Promise<{ stop(): Promise<VisitorResults> }> {
  const results: VisitorResults = {
    withoutKey: [],
    withIdempotencyKey: [],
    medical: [],
    repeats: 0,
    unavailableResponses: 0,
    errors: [],
  };
  let isGoing = true;
  let next = 0;
  const { withoutKey, medical, withKey } = options.connections;
  const visitors = [
    ...Array.from({ length: withoutKey }, () => visit('withoutKey')),
    ...Array.from({ length: medical }, () => visit('medical')),
    ...Array.from({ length: withKey }, () => visit('withIdempotencyKey')),
  ];

  async function visit(kind: 'withoutKey' | 'withIdempotencyKey' | 'medical'): Promise<void> {
    let connection = await openRawConnection(options.port);
    while (isGoing) {
      const scan: SentScan = { number: next++, isNamed: next % 2 === 0, id: null };
      results[kind].push(scan);
      const request = requestOf(kind, scan);
      for (let tries = 0; scan.id === null && (tries === 0 || kind === 'withIdempotencyKey'); tries += 1) {
        if (tries > 0) results.repeats += 1;
        const sentAt = performance.now();
        const response = await connection.send(request).catch(() => null);
        if (response) options.onAnswer({ status: response.status, sentAt, at: performance.now() });
        else connection = await openRawConnection(options.port);
        await note(scan, response);
      }
    }
    connection.close();
  }

  async function note(scan: SentScan, response: RawAnswer | null): Promise<void> {
    if (response?.status === 201) {
      scan.id = JSON.parse(response.body).scan.id;
      return;
    }
    if (!response) results.errors.push('a connection broke');
    else if (response.status !== 503) results.errors.push(`${response.status} ${response.body}`);
    else if (!/\r\nretry-after: \d/i.test(response.head)) results.errors.push('503 without Retry-After');
    else results.unavailableResponses += 1;
    await sleep(RETRY_DELAY_MS);
  }

  function requestOf(
    kind: 'withoutKey' | 'withIdempotencyKey' | 'medical',
    { number, isNamed }: SentScan,
  ): Buffer {
    const code = kind === 'medical' ? options.medicalCode : options.codes[number % options.codes.length];
    const headers = [
      `User-Agent: ${createUserAgent(number, isNamed)}`,
      ...(kind === 'withIdempotencyKey' ? [`Idempotency-Key: ${randomBytes(16).toString('hex')}`] : []),
    ];
    const request = encodeRawRequest('POST', '/api/scans/public', { body: { qrCodeId: code } }).toString();
    return Buffer.from(request.replace('\r\n', `\r\n${headers.join('\r\n')}\r\n`));
  }

  return {
    async stop() {
      isGoing = false;
      await Promise.all(visitors);
      return results;
    },
  };
}

function createUserAgent(number: number, isNamed: boolean): string {
  if (number % 20 === 1) return 'curl/8.5.0';
  const name = isNamed ? `Visit ${number};` : `Pixel ${number % 50}`;
  return `Mozilla/5.0 (Linux; Android 15; ${name}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`;
}

export const AGENT_NUMBER_SQL = `substring(user_agent FROM 'Visit (\\d+);')::int`;
