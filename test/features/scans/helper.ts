import type { Test } from 'tap';
import { startTestApp, type TestApp, type TestResponse, type TestUser } from '../../helper.ts';

export const BERLIN_POSITION = { latitude: 52.5163, longitude: 13.3777, accuracy: 12 };

/** Prefix of one of BERLIN's coordinates, but not the seconds of a time such as 10:05:13.37. */
export const BERLIN_COORDINATE_PATTERN = /(?<!\d:)(?:52\.51|13\.37)/;

export async function startScans(t: Test, environment: Record<string, string> = {}) {
  const test = await startTestApp(t, environment);
  const owner = await test.createUser();

  const code = async (body: Record<string, unknown> = {}, user: TestUser = owner): Promise<string> => {
    const created = await test.call('POST', '/api/qrcodes', {
      token: user.accessToken,
      body: { kind: 'PET', title: 'Rex', data: { name: 'Rex', species: 'Dog' }, ...body },
    });
    if (created.status !== 201) throw new Error(created.text);
    return created.body.id;
  };
  const scan = (body: unknown, options: Parameters<TestApp['call']>[2] = {}): Promise<TestResponse> =>
    test.call('POST', '/api/scans/public', { body, ...options });

  return { ...test, owner, code, scan };
}

export function createTokenHeader(answer: TestResponse): Record<string, string> {
  return { 'x-scan-token': answer.body.scanToken };
}

export async function findCounts({ database }: Pick<TestApp, 'database'>, id: string) {
  const row = await database.client.scanCount.findUnique({ where: { qrCodeId: id } });
  const scans = await database.client.scan.findMany({ where: { qrCodeId: id } });
  const humans = scans.filter((scan) => scan.class === 'HUMAN');
  return {
    counters: {
      total: Number(row?.total ?? 0),
      humans: Number(row?.humans ?? 0),
      unique: Number(row?.uniques ?? 0),
    },
    rows: {
      total: scans.length,
      humans: humans.length,
      unique: new Set(humans.map((scan) => Buffer.from(scan.visitorHash).toString('hex'))).size,
    },
  };
}
