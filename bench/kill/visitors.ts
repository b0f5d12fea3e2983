import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeRawRequest, openRawConnection, type RawAnswer } from '../raw-connection.ts';

/** Response to a scan; times are those of `performance.now()`. */
export interface ScanResponse {
  status: number;
  sentAt: number;
  at: number;
}

/** A scan that was answered with 201, or one without a response. */
export interface SentScan {
  /** Sent in the user agent of one-time visitors, to find the scan again. */
  number: number;
  isNamed: boolean;
  id: string | null;
}

export interface VisitorResults {
  plain: SentScan[];
  /** One per key, however often it was sent. */
  withIdempotencyKey: SentScan[];
  medical: SentScan[];
  repeats: number;
  unavailableResponses: number;
  /** Unexpected responses (neither 201 nor 503 with Retry-After) and broken connections. */
  wrong: string[];
}

interface VisitorOptions {
  port: number;
  codes: readonly string[];
  medicalCode: string;
  connections: { plain: number; medical: number; keyed: number };
  onAnswer(answer: ScanResponse): void;
}

/** Delay after a 503; shorter than Retry-After, as an impatient client would. */
const RETRY_DELAY_MS = 50;

/** Scan without a pause until stopped, then repeat scans with a key until they are acknowledged. */
export async function startVisitors(options: VisitorOptions): Promise<{ stop(): Promise<VisitorResults> }> {
  const seen: VisitorResults = {
    plain: [],
    withIdempotencyKey: [],
    medical: [],
    repeats: 0,
    unavailableResponses: 0,
    wrong: [],
  };
  let isGoing = true;
  let next = 0;
  const { plain, medical, keyed } = options.connections;
  const visitors = [
    ...Array.from({ length: plain }, () => visit('plain')),
    ...Array.from({ length: medical }, () => visit('medical')),
    ...Array.from({ length: keyed }, () => visit('withIdempotencyKey')),
  ];

  async function visit(kind: 'plain' | 'withIdempotencyKey' | 'medical'): Promise<void> {
    let connection = await openRawConnection(options.port);
    while (isGoing) {
      const sent: SentScan = { number: next++, isNamed: next % 2 === 0, id: null };
      seen[kind].push(sent);
      const request = requestOf(kind, sent);
      for (let tries = 0; sent.id === null && (tries === 0 || kind === 'withIdempotencyKey'); tries += 1) {
        if (tries > 0) seen.repeats += 1;
        const sentAt = performance.now();
        const answer = await connection.send(request).catch(() => null);
        if (answer) options.onAnswer({ status: answer.status, sentAt, at: performance.now() });
        else connection = await openRawConnection(options.port);
        await note(sent, answer);
      }
    }
    connection.close();
  }

  async function note(sent: SentScan, answer: RawAnswer | null): Promise<void> {
    if (answer?.status === 201) {
      sent.id = JSON.parse(answer.body).scan.id;
      return;
    }
    if (!answer) seen.wrong.push('a connection broke');
    else if (answer.status !== 503) seen.wrong.push(`${answer.status} ${answer.body}`);
    else if (!/\r\nretry-after: \d/i.test(answer.head)) seen.wrong.push('503 without Retry-After');
    else seen.unavailableResponses += 1;
    await sleep(RETRY_DELAY_MS);
  }

  function requestOf(
    kind: 'plain' | 'withIdempotencyKey' | 'medical',
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
      return seen;
    },
  };
}

function createUserAgent(number: number, isNamed: boolean): string {
  if (number % 20 === 1) return 'curl/8.5.0';
  const name = isNamed ? `Visit ${number};` : `Pixel ${number % 50}`;
  return `Mozilla/5.0 (Linux; Android 15; ${name}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`;
}

export const AGENT_NUMBER_SQL = `substring(user_agent FROM 'Visit (\\d+);')::int`;
