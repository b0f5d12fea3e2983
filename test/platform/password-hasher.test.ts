import { createHmac } from 'node:crypto';
import bcrypt from 'bcrypt';
import {
  createHashPriority,
  createPasswordHasher,
  createPasswordHashQueue,
  getPasswordHashConcurrency,
} from '../../src/platform/password-hasher.ts';
import { ServiceError } from '../../src/shared/errors.ts';
import { createTestGate } from '../gate.ts';
import { createTestKeySet } from '../shared/crypto/test-keys.ts';
import { t } from '../tap.ts';

const COST = 4;

t.test('rejects tasks beyond a full queue as BUSY and runs the rest', async (t) => {
  const queue = createPasswordHashQueue({ cost: 8, concurrency: 1, maxQueued: 6 });
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => queue.runQueued(() => queue.hash(`input ${index}`))),
  );
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.equal(done.length, 6);
  t.equal(new Set(done).size, 6);
  t.ok(
    errors.every(
      (error) => error instanceof ServiceError && error.code === 'BUSY' && error.retryAfterSeconds === 1,
    ),
  );
  const fifth = done[5] ?? '';
  t.equal(await queue.runQueued(() => queue.hash('input 5', fifth)), fifth, 'accepts tasks again afterwards');
});

t.test('rejects surplus tasks before they start, while others prepare to hash', async (t) => {
  const hasher = createPasswordHasher({
    peppers: createTestKeySet('p1'),
    cost: COST,
    concurrency: 1,
    maxQueued: 2,
  });
  const order: string[] = [];
  const waits: (() => void)[] = [];
  const under = [1, 2].map(() =>
    hasher.runQueued(async (slot) => {
      await new Promise<void>((resolve) => waits.push(resolve));
      await slot.hash('x');
      await slot.hash('a second one needs no second place');
      order.push('hashed');
    }),
  );
  const surplus = hasher.runQueued(async () => order.push('worked'));
  await t.rejects(surplus, { code: 'BUSY' });
  await t.rejects(hasher.hash('x'), { code: 'BUSY' });
  for (const resolve of waits) resolve();
  await Promise.all(under);
  t.same(order, ['hashed', 'hashed']);
});

t.test('a queued task does nothing before its slot is free', async (t) => {
  const hasher = createPasswordHasher({
    peppers: createTestKeySet('p1'),
    cost: COST,
    concurrency: 1,
    maxQueued: 20,
  });
  let begun = 0;
  const line = createTestGate();
  const tasks = Array.from({ length: 20 }, () =>
    hasher.runQueued(async (slot) => {
      begun++;
      await line.whenOpened;
      return slot.hash('x');
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(begun, 3, 'one that is hashed, and two beside it');
  await t.rejects(hasher.hash('x'), { code: 'BUSY' }, 'queued tasks count too');
  line.open();
  t.equal((await Promise.all(tasks)).length, 20);
});

t.test('a task that fails releases its slot', async (t) => {
  const hasher = createPasswordHasher({ peppers: createTestKeySet('p1'), cost: COST, maxQueued: 1 });
  for (let count = 0; count < 3; count++) {
    await t.rejects(
      hasher.runQueued(async () => {
        throw new Error('a database that is away');
      }),
      /away/,
    );
  }
  t.equal(await hasher.verify('x', await hasher.hash('x')), true);
});

t.test('the event loop keeps running while hashes are computed', async (t) => {
  const queue = createPasswordHashQueue({ cost: 10 });
  let tickCount = 0;
  const clock = setInterval(() => {
    tickCount += 1;
  }, 1);
  await Promise.all([1, 2, 3, 4].map(() => queue.hash('x')));
  clearInterval(clock);
  t.ok(tickCount > 4, `${tickCount} turns`);
});

t.test('two queues are independent', async (t) => {
  const passwords = createPasswordHashQueue({ cost: 10, concurrency: 1, maxQueued: 1 });
  const pins = createPasswordHashQueue({ cost: COST, concurrency: 1, maxQueued: 1 });
  const slow = passwords.runQueued(() => passwords.hash('x'));
  t.match(await pins.runQueued(() => pins.hash('1234')), /^\$2b\$04\$/);
  await t.rejects(
    passwords.runQueued(() => passwords.hash('y')),
    { code: 'BUSY' },
  );
  await slow;
});

t.test('hashes of batches wait for those of visitors, but not for ever', async (t) => {
  const priority = createHashPriority();
  const pins = createPasswordHashQueue({ cost: COST, concurrency: 2, priority });
  const batch = createPasswordHashQueue({ cost: COST, concurrency: 2, priority, isBatch: true });
  const order: string[] = [];
  const hash = (queue: typeof pins, name: string) => queue.hash(name).then(() => void order.push(name));
  await Promise.all([
    hash(pins, 'visitor'),
    ...['batch', 'batch'].map((name) => hash(batch, name)),
    ...['visitor', 'visitor', 'visitor'].map((name) => hash(pins, name)),
  ]);
  t.same(order, ['visitor', 'visitor', 'visitor', 'visitor', 'batch', 'batch']);
  const endless = createTestGate();
  const busy = priority.runFirst(() => endless.whenOpened);
  await hash(batch, 'patient batch');
  t.equal(order.at(-1), 'patient batch');
  endless.open();
  await busy;
  await t.rejects(
    priority.runFirst(() => Promise.reject(new Error('broken'))),
    /broken/,
  );
  await hash(batch, 'after a failure');
});

t.test('reports a failed hash and releases its slot', async (t) => {
  const queue = createPasswordHashQueue({ cost: COST, concurrency: 1, maxQueued: 1 });
  await t.rejects(queue.runQueued(() => queue.hash('x', 'not a salt')));
  t.match(await queue.runQueued(() => queue.hash('x')), /^\$2b\$/);
  t.ok(getPasswordHashConcurrency() >= 1);
});

t.test('stores a password as bcrypt over base64(HMAC-SHA-256) with its pepper id', async (t) => {
  const peppers = createTestKeySet('p1');
  const hasher = createPasswordHasher({ peppers, cost: COST });
  const stored = await hasher.hash('correct horse');
  t.match(stored, /^p1:\$2b\$04\$[./A-Za-z0-9]{53}$/);
  const keyed = applyPepperManually('correct horse');
  t.equal(keyed.length, 44);
  t.equal(await bcrypt.compare(keyed, stored.slice(3)), true);
});

t.test(
  'two passwords that differ after 72 bytes, or only by normalization, are not interchangeable',
  async (t) => {
    const hasher = createPasswordHasher({ peppers: createTestKeySet('p1'), cost: COST });
    const pairs: [string, string][] = [
      [`${'a'.repeat(72)}b`, `${'a'.repeat(72)}c`],
      [`${'a'.repeat(72)}`, `${'a'.repeat(73)}`],
      ['with\0nul', 'with\0other'],
      ['caf\u00e9 au lait', 'cafe\u0301 au lait'],
    ];
    for (const [password, other] of pairs) {
      const stored = await hasher.hash(password);
      t.equal(await hasher.verify(password, stored), true);
      t.equal(await hasher.verify(other, stored), false);
    }
  },
);

t.test('does the same work and returns false without a stored hash', async (t) => {
  const hasher = createPasswordHasher({ peppers: createTestKeySet('p1'), cost: COST });
  const stranger = createPasswordHasher({ peppers: createTestKeySet('p9'), cost: COST });
  const stored = [await hasher.hash('y'), null, 'nonsense', await stranger.hash('x')];
  const calls = t.capture(bcrypt, 'hash', bcrypt.hash);
  for (const one of stored) t.equal(await hasher.verify('x', one), false);
  const salts = calls().map(({ args }) => String(args[1]));
  t.equal(salts.length, 4);
  t.ok(salts.every((salt) => bcrypt.getRounds(`${salt}${'.'.repeat(31)}`) === COST && salt.length === 29));
});

t.test('the same password has the same hash with one salt, and only then', async (t) => {
  const hasher = createPasswordHasher({ peppers: createTestKeySet('p1'), cost: COST });
  const salt = Buffer.from('00ff10ef20df30cf40bf50af609f708f', 'hex');
  const [first, again, other, salted] = await hasher.runQueued(async (slot) => [
    await slot.hash('one', salt),
    await slot.hash('one', salt),
    await slot.hash('two', salt),
    await slot.hash('one'),
  ]);
  t.equal(again, first);
  t.not(other, first);
  t.not(salted, first);
  t.ok(await bcrypt.compare(applyPepperManually('two'), other?.slice(3) ?? ''), 'bcrypt itself reads them');
});

t.test('verifies old peppers and costs, and reports that they need a rehash', async (t) => {
  const stored = await createPasswordHasher({ peppers: createTestKeySet('p1'), cost: COST }).hash('x');
  const rotated = createPasswordHasher({ peppers: createTestKeySet('p2', 'p1'), cost: COST });
  t.equal(await rotated.verify('x', stored), true);
  t.equal(rotated.needsRehash(stored), true);
  t.equal(rotated.needsRehash(await rotated.hash('x')), false);
  const dearer = createPasswordHasher({ peppers: createTestKeySet('p1'), cost: COST + 1 });
  t.equal(dearer.needsRehash(stored), true);
  t.equal(dearer.needsRehash('nonsense'), true);
});

function applyPepperManually(password: string): string {
  const pepper = createTestKeySet('p1').keys.get('p1');
  return pepper ? createHmac('sha256', pepper).update(password).digest('base64') : '';
}
