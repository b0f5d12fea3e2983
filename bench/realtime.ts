// Measure how soon 500 sockets of an owner receive a reply in one of their conversations, the memory per socket, and a
// client that never reads: `npm run bench:realtime` (or `-- <sockets>`). Exits with 1 if an event is missing, or if the
// client that never reads is not disconnected.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { WebSocket } from 'ws';
import { getProcessCpuSeconds } from './cpu-time.ts';
import { formatTimes } from './numbers.ts';
import { readNumberArguments } from './read-arguments.ts';
import { createOwner } from './scan/scanned-codes.ts';
import { runWithService } from './service-process.ts';

const [sockets = 0] = readNumberArguments(import.meta.url, 500);

const CONVERSATION_COUNT = 4;
const MESSAGES_PER_CONVERSATION = 25;
/** Events for the client that never reads: far more than the socket buffers of the system. */
const UNREAD_EVENTS = 5_000;

process.exitCode = await runWithService({ LOG_LEVEL: 'warn' }, async ({ port, pid, ownerUrl }) => {
  const base = `http://127.0.0.1:${port}`;
  const address = `ws://127.0.0.1:${port}/api/realtime`;
  const { token, post } = await createOwner(base, ownerUrl);
  const opened: Record<string, string>[] = [];
  for (let count = 0; count < CONVERSATION_COUNT; count += 1)
    opened.push(await createConversation(base, post));

  const before = await getResidentMemory(pid);
  const heard = new Map<string, number>();
  const lastAt = new Map<string, number>();
  const open = await Promise.all(
    Array.from({ length: sockets }, () =>
      openSocket(address, ['bearer', token], ({ event, data }) => {
        if (event !== 'message.created') return;
        heard.set(data.messageId, (heard.get(data.messageId) ?? 0) + 1);
        lastAt.set(data.messageId, performance.now());
      }),
    ),
  );
  const during = await getResidentMemory(pid);
  const toAnswer: number[] = [];
  const toLastSocket: number[] = [];
  const deliveryTimes: number[] = [];
  const cpu = await getProcessCpuSeconds(pid);
  for (let index = 0; index < CONVERSATION_COUNT * MESSAGES_PER_CONVERSATION; index += 1) {
    const { id = '' } = opened[index % CONVERSATION_COUNT] ?? {};
    const startedAt = performance.now();
    const message = await post(`/api/conversations/${id}/messages`, { message: `Thank you, ${index}.` });
    const repliedAt = performance.now();
    for (const end = Date.now() + 5_000; heard.get(message.id ?? '') !== sockets && Date.now() < end; )
      await wait(1);
    const last = lastAt.get(message.id ?? '') ?? Number.POSITIVE_INFINITY;
    toAnswer.push(repliedAt - startedAt);
    toLastSocket.push(last - startedAt);
    deliveryTimes.push(Math.max(0, last - repliedAt));
  }
  const cpuPerMessage = ((await getProcessCpuSeconds(pid)) - cpu) / toAnswer.length;
  const isComplete =
    [...heard.values()].every((count) => count === sockets) && heard.size === toAnswer.length;
  console.log(`answers to the POSTs:             ${formatTimes(toAnswer)}`);
  console.log(`from the POST to the last socket: ${formatTimes(toLastSocket)} of ${sockets} sockets`);
  console.log(`from the answer to it:            ${formatTimes(deliveryTimes)}`);
  console.log(`processor time of the service:    ${(cpuPerMessage * 1000).toFixed(1)} ms a message`);

  const { id = '', conversationToken = '' } = opened[0] ?? {};
  const deaf = await openSocket(address, ['conversation', conversationToken], () => undefined);
  deaf.pause();
  const startedAt = performance.now();
  await fillStream(ownerUrl, id);
  let peak = 0;
  let isDropped = false;
  for (const end = Date.now() + 60_000; !isDropped && Date.now() < end; await wait(100)) {
    peak = Math.max(peak, await getResidentMemory(pid));
    isDropped = !(await isSocketOpenOnServer(port, pid, deaf));
  }
  const took = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `a client that never reads: ${isDropped ? `dropped after ${took} s` : 'still there'}, peak of memory ${toMebibytes(peak)}`,
  );
  deaf.terminate();
  for (const socket of open) socket.terminate();
  await wait(2_000);
  console.log(
    `memory: ${toMebibytes(before)} before, ${toMebibytes(during)} with ${sockets} sockets, ${toMebibytes(await getResidentMemory(pid))} after they are gone`,
  );
  return isComplete && isDropped ? 0 : 1;
});

interface ReceivedEvent {
  event: string;
  data: { messageId: string };
}

async function openSocket(
  address: string,
  protocols: string[],
  onEvent: (heard: ReceivedEvent) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(address, protocols);
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('message', (text) => {
      const heard = JSON.parse(String(text));
      if (heard.event === 'ready') resolve();
      else onEvent(heard);
    });
  });
  return socket;
}

type PostRequest = (path: string, body: object) => Promise<Record<string, string>>;

async function createConversation(base: string, post: PostRequest): Promise<Record<string, string>> {
  const code = await post('/api/qrcodes', {
    ...{ kind: 'PET', title: 'Rex', data: { name: 'Rex', species: 'Dog' } },
  });
  const scanned = await fetch(`${base}/api/scans/public`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ qrCodeId: code.id }),
  });
  const { scan, scanToken } = (await scanned.json()) as { scan: { id: string }; scanToken: string };
  const opened = await fetch(`${base}/api/conversations/public`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-scan-token': scanToken },
    body: JSON.stringify({ scanId: scan.id, message: '🦴'.repeat(1_000) }),
  });
  return (await opened.json()) as Record<string, string>;
}

async function fillStream(ownerUrl: string, conversationId: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(
      `WITH moved AS (
         UPDATE realtime_streams SET last_seq = last_seq + $2::int WHERE stream = 'c:' || $1 RETURNING stream, last_seq AS last
       )
       INSERT INTO realtime_events (stream, seq, id, event, data)
       SELECT stream, last - $2::int + n, lpad(to_hex(n), 24, '0'), 'message.created',
              jsonb_build_object('conversationId', $1::text, 'messageId',
                (SELECT id FROM conversation_messages WHERE conversation_id = $1 ORDER BY created_at, id LIMIT 1))
       FROM moved, generate_series(1, $2::int) AS n`,
      [conversationId, UNREAD_EVENTS],
    );
  } finally {
    await client.end();
  }
}

async function getResidentMemory(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

async function isSocketOpenOnServer(port: number, pid: number, socket: WebSocket): Promise<boolean> {
  const { localPort } = Reflect.get(socket, '_socket') as { localPort: number };
  const [ours, theirs] = [port, localPort].map(
    (one) => `:${one.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')),
  );
  return tables
    .join('\n')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some(
      ([, at = '', to = '', state]) => at.endsWith(ours ?? '') && to.endsWith(theirs ?? '') && state === '01',
    );
}

function toMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}
