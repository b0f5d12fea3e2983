import { createTestGate } from '../../gate.ts';
import type { TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { countStatuses, findAuditEntries, isProblem, runConcurrently } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from './helper.ts';

const OLD = {
  kind: 'MEDICAL',
  title: 'Bracelet',
  pin: '0012',
  data: { name: 'Ada', notes: 'old facts' },
  visibility: { name: 'PUBLIC', notes: 'PIN' },
};
const NEW = { pin: '987654', data: { name: 'Ada', notes: 'new facts' } };

type Test = Awaited<ReturnType<typeof startScans>>;

/** Pause all PIN comparisons at their end until they are released. */
function pauseCompares({ services }: Test) {
  const { pins } = services;
  const { verify } = pins;
  const passed = createTestGate();
  let pausedCount = 0;
  Object.assign(pins, {
    verify: async (...args: Parameters<typeof verify>) => {
      const isCorrect = await verify(...args);
      pausedCount += 1;
      await passed.whenOpened;
      return isCorrect;
    },
  });
  return {
    open: () => {
      Object.assign(pins, { verify });
      passed.open();
    },
    reached: (count: number) => waitForCondition(() => pausedCount === count),
  };
}

/** Pause the next transaction before its COMMIT. */
function pauseCommit({ services: { database } }: Test) {
  const { transaction } = database;
  const passed = createTestGate();
  let isPaused = false;
  const pausedTransaction: typeof transaction = (work) => {
    Object.assign(database, { transaction });
    return transaction(async (tx) => {
      const result = await work(tx);
      isPaused = true;
      await passed.whenOpened;
      return result;
    });
  };
  Object.assign(database, { transaction: pausedTransaction });
  return { open: passed.open, reached: () => waitForCondition(() => isPaused) };
}

async function waitForCondition(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function isWaitingForLock({ services }: Test): Promise<boolean> {
  const { rows } = await services.database.pool.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}

const replace = ({ call, owner }: Test, id: string, body: object = NEW) =>
  call('PUT', `/api/qrcodes/${id}`, { token: owner.accessToken, body });

const unlock = ({ call }: Test, scanResponse: TestResponse, pin: string) =>
  call('POST', `/api/scans/public/${scanResponse.body.scan.id}/unlock`, {
    body: { pin },
    headers: createTokenHeader(scanResponse),
  });

const viewScan = ({ call }: Test, scanResponse: TestResponse) =>
  call('GET', `/api/scans/public/${scanResponse.body.scan.id}`, { headers: createTokenHeader(scanResponse) });

t.test('a PIN that is replaced during its comparison unlocks nothing', async (t) => {
  const test = await startScans(t);
  for (let round = 0; round < 3; round += 1) {
    const id = await test.code(OLD);
    const scans = await runConcurrently(5, () => test.scan({ qrCodeId: id }));
    const compares = pauseCompares(test);
    const answers = Promise.all(scans.map((scanResponse) => unlock(test, scanResponse, OLD.pin)));
    await compares.reached(5);
    t.equal((await replace(test, id)).status, 200);
    compares.open();
    const attemptsLeft = [];
    for (const answer of await answers) {
      t.ok(isProblem(answer, 403, 'PIN_INCORRECT'), answer.text);
      t.same(answer.body.profile, { name: 'Ada' }, 'public content only');
      attemptsLeft.push(answer.body.attemptsLeft);
    }
    t.same(attemptsLeft.sort(), [0, 1, 2, 3, 4], 'each counts as an attempt');
    for (const scanResponse of scans) {
      const view = await viewScan(test, scanResponse);
      t.same(view.body.profile, { name: 'Ada' });
      t.equal(view.body.pinRequired, true);
    }
    t.equal((await findAuditEntries(test, 'PIN_REJECTED')).length, 5 * (round + 1));
  }
  t.same(await findAuditEntries(test, 'SCAN_UNLOCKED'), []);
});

t.test(
  'setting the same PIN again, or removing it, during the comparison still unlocks the scan',
  async (t) => {
    const test = await startScans(t);
    for (const [pin, notes] of [
      [OLD.pin, 'new facts'],
      [null, undefined],
    ] as const) {
      const id = await test.code(OLD);
      const scanResponse = await test.scan({ qrCodeId: id });
      const compares = pauseCompares(test);
      const answer = unlock(test, scanResponse, OLD.pin);
      await compares.reached(1);
      const body = pin === null ? { pin, data: NEW.data, visibility: { notes: 'PRIVATE' } } : { ...NEW, pin };
      t.equal((await replace(test, id, body)).status, 200);
      compares.open();
      const { status, body: response } = await answer;
      t.equal(status, 200);
      t.equal(response.profile.notes, notes, 'the content is current');
      t.equal((await viewScan(test, scanResponse)).body.profile.notes, notes);
    }
  },
);

t.test('a code that is paused during the PIN comparison shows nothing', async (t) => {
  const test = await startScans(t);
  const id = await test.code(OLD);
  const scanResponse = await test.scan({ qrCodeId: id });
  const compares = pauseCompares(test);
  const right = unlock(test, scanResponse, OLD.pin);
  const wrong = unlock(test, scanResponse, '9999');
  await compares.reached(2);
  t.equal((await replace(test, id, { status: 'PAUSED' })).status, 200);
  compares.open();
  for (const answer of [await right, await wrong]) {
    t.ok(isProblem(answer, 410, 'CODE_PAUSED'), answer.text);
    t.notOk('profile' in answer.body);
  }
});

t.test(
  'a PIN change that commits after an unlock locks the scans again, whatever the clocks say',
  async (t) => {
    const test = await startScans(t);
    const id = await test.code(OLD);
    const scans = await runConcurrently(4, () => test.scan({ qrCodeId: id }));
    const commit = pauseCommit(test);
    const change = replace(test, id);
    await commit.reached();
    const opened = await Promise.all(scans.map((scanResponse) => unlock(test, scanResponse, OLD.pin)));
    t.same(countStatuses(opened), { 200: 4 }, 'the old PIN is valid before the commit');
    for (const answer of opened) t.equal(answer.body.profile.notes, 'old facts');
    const scanResponse = test.scan({ qrCodeId: id, pin: OLD.pin });
    await waitForCondition(() => isWaitingForLock(test));
    commit.open();
    t.equal((await change).status, 200);
    const late = await scanResponse;
    t.equal(late.status, 201, late.text);
    t.not(late.body.profile.notes, 'new facts');
    for (const answer of [...scans, late]) {
      const view = await viewScan(test, answer);
      t.same(
        view.body.profile,
        { name: 'Ada' },
        'neither a scan that was unlocked nor one made with the PIN',
      );
      t.equal(view.body.pinRequired, true);
    }
    const again = await unlock(test, late, NEW.pin);
    t.equal(again.body.profile.notes, 'new facts');
    t.equal((await viewScan(test, late)).body.profile.notes, 'new facts');
  },
);

t.test('a PIN that is replaced during its comparison unlocks nothing on the page either', async (t) => {
  const test = await startScans(t);
  const { call } = test;
  const id = await test.code(OLD);
  const pages = await runConcurrently(3, () => call('GET', `/s/${id}`));
  const compares = pauseCompares(test);
  const answers = Promise.all(
    pages.map(({ text }) =>
      call('POST', `/s/${id}/pin`, {
        body: `visit=${/name="visit" value="([^"]+)"/.exec(text)?.[1]}&pin=${OLD.pin}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ),
  );
  await compares.reached(3);
  t.equal((await replace(test, id)).status, 200);
  compares.open();
  for (const { status, text } of await answers) {
    t.equal(status, 403);
    t.match(text, 'Wrong PIN.');
    t.notMatch(text, /facts/);
  }
  const rows = await test.database.client.scan.findMany({ where: { qrCodeId: id } });
  t.ok(rows.every(({ unlockedAt, unlockedVersion }) => unlockedAt === null && unlockedVersion === null));
});
