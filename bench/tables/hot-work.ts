import { randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { dispatchDueNotifications } from '../../src/features/notifications/dispatch-notifications.use-case.ts';
import {
  findRealtimeEventsAfter,
  findRealtimeStreamEnd,
} from '../../src/platform/realtime/event.repository.ts';
import type { Services } from '../../src/services.ts';
import { generateId } from '../../src/shared/ids.ts';

export interface HotWork {
  name: string;
  /** Nobody waits for it. */
  isJob?: boolean;
  run(): Promise<unknown>;
}

export interface LogIn {
  email: string;
  password: string;
}

const EVENT_LIMIT = 500;

/** Of the owner of most rows. */
export async function listHotWork(
  services: Services,
  app: FastifyInstance,
  accountId: string,
  logIn: LogIn,
  busyCodeId: string,
): Promise<HotWork[]> {
  const logInRequest = { method: 'POST', url: '/api/auth/login', payload: logIn } as const;
  const session = (await app.inject(logInRequest)).json();
  const headers = { authorization: `Bearer ${session.accessToken}` };
  const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const created = await app.inject({ method: 'POST', url: '/api/qrcodes', headers, payload: code });
  const qrCodeId = created.json().id;
  const year = `from=${new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)}`;
  const gets = [
    '/api/auth/me',
    `/api/qrcodes/${qrCodeId}`,
    '/api/qrcodes?limit=20',
    '/api/qrcodes?limit=20&search=suitcase',
    '/api/qrcodes?limit=20&search=heirloom',
    '/api/scans?limit=20',
    '/api/scans?limit=20&cursor=start',
    `/api/scans?limit=20&qrCodeId=${qrCodeId}`,
    `/api/scans?limit=20&qrCodeId=${busyCodeId}`,
    '/api/scans?limit=20&cursor=start&class=BOT',
    '/api/scans/stats',
    `/api/scans/stats?${year}`,
    `/api/scans/stats?${year}&qrCodeId=${busyCodeId}`,
    '/api/dashboard/cards',
    '/api/notifications',
    '/api/notifications?cursor=start',
    '/api/notifications/unread-count',
    '/api/conversations',
    '/api/conversations?cursor=start',
    '/api/documents',
    '/api/documents?search=passport',
    '/api/memory-tags',
    '/api/audit/mine',
    '/api/auth/sessions',
    '/api/subscription/status',
  ];
  const requests: InjectOptions[] = [
    { method: 'POST', url: '/api/scans/public', payload: { qrCodeId } },
    { method: 'GET', url: `/s/${qrCodeId}` },
    logInRequest,
    ...gets.map((url) => ({ method: 'GET' as const, url, headers })),
  ];
  const send = (request: InjectOptions) =>
    // Another visitor each time.
    app.inject({
      ...request,
      headers: { 'user-agent': `bench ${randomBytes(8).toString('hex')}`, ...request.headers },
    });
  const stream = `u:${accountId}` as const;
  const { pool } = services.database;
  return [
    ...requests.map((request) => ({
      name: `${request.method} ${String(request.url).replaceAll(qrCodeId, ':id').replaceAll(busyCodeId, ':busy')}`,
      run: async () => {
        const { statusCode, body } = await send(request);
        if (statusCode >= 400) throw new Error(`${request.url} answered ${statusCode}: ${body}`);
      },
    })),
    {
      name: 'POST /api/auth/refresh-token',
      run: async () => {
        const { refreshToken } = (await app.inject(logInRequest)).json();
        await app.inject({ method: 'POST', url: '/api/auth/refresh-token', payload: { refreshToken } });
      },
    },
    {
      name: 'realtime: resume',
      run: async () => {
        const end = await findRealtimeStreamEnd(pool, stream, generateId());
        await findRealtimeEventsAfter(pool, [{ stream, after: (end?.last ?? 0) - EVENT_LIMIT }], EVENT_LIMIT);
      },
    },
    {
      name: 'job dispatch notifications',
      isJob: true,
      run: async () => {
        await send({ method: 'POST', url: '/api/scans/public', payload: { qrCodeId } });
        await dispatchDueNotifications(services);
      },
    },
    ...Object.entries(services.features).flatMap(([name, { jobs = [], cleanUp = [] }]) => [
      ...jobs
        .filter(({ intervalSeconds }) => intervalSeconds !== undefined)
        .map(({ queue, handler }) => ({ name: `job ${queue.name}`, isJob: true, run: () => handler({}) })),
      ...cleanUp.map((run, index) => ({ name: `clean-up of ${name} ${index + 1}`, isJob: true, run })),
    ]),
  ];
}
