import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { OwnBenchmark } from '../benchmark.ts';
import { alternateSides, getQuantile } from '../measure.ts';
import { getResidentMib } from '../process-usage.ts';
import type { Measurement } from '../table.ts';
import { type OwnerWorld, runWithOwner } from '../worlds/owner-world.ts';

const SOCKETS = 500;
const MESSAGES_PER_ROUND = 20;
const DELIVERY_TIMEOUT_MS = 10_000;

/** Times at which sockets heard of a message, by its id. */
type HeardTimes = Map<string, number[]>;

/** Compare how soon 500 sockets of an owner hear of a reply in a conversation with one socket. */
export const realtimeBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithOwner({}, async (world) => {
      const conversationId = await createConversation(world);
      const before = await getResidentMib(world.pid);
      let during: number | null = null;
      const results = await alternateSides(options, async (side) => {
        const heard: HeardTimes = new Map();
        const count = side === 'service' ? SOCKETS : 1;
        const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(world, heard)));
        if (count > 1) during = await getResidentMib(world.pid);
        const times = await sendMessages(world, conversationId, heard, count);
        for (const socket of sockets) socket.terminate();
        return times;
      });
      const toLine = (measure: string, read: (one: MessageTimes) => number[]): Measurement => ({
        row: 'realtime',
        measure,
        unit: 'ms',
        service: results.service.map((one) => getQuantile(read(one), 0.5)),
        baseline: results.baseline.map((one) => getQuantile(read(one), 0.5)),
        ratioGoal: null,
      });
      const kib = before === null || during === null ? [] : [((during - before) / SOCKETS) * 1024];
      return [
        toLine('answer to the message', ({ answers }) => answers),
        toLine('last socket hears of it', ({ deliveries }) => deliveries),
        {
          row: 'realtime',
          measure: 'memory of a socket',
          unit: 'KiB',
          service: kib,
          baseline: [],
          ratioGoal: null,
        },
      ];
    }),
};

interface MessageTimes {
  answers: number[];
  deliveries: number[];
}

/** @throws Error if a socket does not hear of a message in time */
async function sendMessages(
  { post }: OwnerWorld,
  conversationId: string,
  heard: HeardTimes,
  sockets: number,
): Promise<MessageTimes> {
  const times: MessageTimes = { answers: [], deliveries: [] };
  for (let index = 0; index < MESSAGES_PER_ROUND; index += 1) {
    const startedAt = performance.now();
    const { id = '' } = await post(`/api/conversations/${conversationId}/messages`, {
      message: `Thank you, ${index}.`,
    });
    times.answers.push(performance.now() - startedAt);
    for (const end = Date.now() + DELIVERY_TIMEOUT_MS; heard.get(id)?.length !== sockets; await wait(1))
      if (Date.now() > end)
        throw new Error(`${heard.get(id)?.length ?? 0} of ${sockets} sockets heard of it.`);
    times.deliveries.push(Math.max(...(heard.get(id) ?? [])) - startedAt);
  }
  return times;
}

async function openSocket({ port, token }: OwnerWorld, heard: HeardTimes): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/realtime`, ['bearer', token]);
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('message', (text) => {
      const { event, data } = JSON.parse(String(text));
      if (event === 'ready') resolve();
      if (event !== 'message.created') return;
      heard.set(data.messageId, [...(heard.get(data.messageId) ?? []), performance.now()]);
    });
  });
  return socket;
}

async function createConversation({ base, post }: OwnerWorld): Promise<string> {
  const code = await post('/api/qrcodes', {
    kind: 'PET',
    title: 'Rex',
    data: { name: 'Rex', species: 'Dog' },
  });
  const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { id: string; scan: { id: string }; scanToken: string };
  };
  const { scan, scanToken } = await send('/api/scans/public', { qrCodeId: code.id });
  const body = { scanId: scan.id, message: 'I found your dog.' };
  return (await send('/api/conversations/public', body, { 'X-Scan-Token': scanToken })).id;
}
