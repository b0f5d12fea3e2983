import { createHmac } from 'node:crypto';
import bcrypt from 'bcrypt';
import t from 'tap';
import { createHashQueue, createPasswordHasher, hashConcurrency } from '../../src/platform/hash-queue.ts';
import { ServiceError } from '../../src/shared/errors.ts';
import { testKeySet } from '../shared/crypto/keys.ts';

const COST = 4;

t.test('A12 what comes on top of a full queue is refused as BUSY and the rest is done', async (t) => {
  const queue = createHashQueue({ cost: 8, concurrency: 1, depth: 6 });
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => queue.hash(`input ${index}`)),
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
  t.equal(await queue.compare('input 5', done[5] ?? ''), true, 'and there is room again afterwards');
});

t.test('A12 surplus is refused before any hash of the queue is done', async (t) => {
  const queue = createHashQueue({ cost: 10, concurrency: 1, depth: 2 });
  const order: string[] = [];
  const under = [1, 2].map(() => queue.hash('x').then(() => order.push('hashed')));
  await queue.hash('surplus').catch(() => order.push('refused'));
  await Promise.all(under);
  t.same(order, ['refused', 'hashed', 'hashed']);
});

t.test('A12 the event loop turns while hashes are computed', async (t) => {
  const queue = createHashQueue({ cost: 10 });
  let turns = 0;
  const clock = setInterval(() => {
    turns += 1;
  }, 1);
  await Promise.all([1, 2, 3, 4].map(() => queue.hash('x')));
  clearInterval(clock);
  t.ok(turns > 4, `${turns} turns`);
});

t.test('Two queues do not stand in each other’s line', async (t) => {
  const passwords = createHashQueue({ cost: 10, concurrency: 1, depth: 1 });
  const pins = createHashQueue({ cost: COST, concurrency: 1, depth: 1 });
  const slow = passwords.hash('x');
  t.match(await pins.hash('1234'), /^\$2b\$04\$/);
  await t.rejects(passwords.hash('y'), { code: 'BUSY' });
  await slow;
});

t.test('A failed hash is reported and does not hold its place', async (t) => {
  const queue = createHashQueue({ cost: COST, concurrency: 1, depth: 1 });
  t.equal(await queue.compare('x', 'not a hash'), false);
  t.match(await queue.hash('x'), /^\$2b\$/);
  t.ok(hashConcurrency() >= 1);
});

t.test('A5 a password is stored as bcrypt over base64(HMAC-SHA-256) with the id of its pepper', async (t) => {
  const peppers = testKeySet('p1');
  const hasher = createPasswordHasher({ peppers, cost: COST });
  const stored = await hasher.hash('correct horse');
  t.match(stored, /^p1:\$2b\$04\$[./A-Za-z0-9]{53}$/);
  const pepper = peppers.keys.get('p1');
  const keyed = pepper ? createHmac('sha256', pepper).update('correct horse').digest('base64') : '';
  t.equal(keyed.length, 44);
  t.equal(await bcrypt.compare(keyed, stored.slice(3)), true);
});

t.test(
  'A5 two passwords that differ after 72 bytes, or only by normalisation, are not interchangeable',
  async (t) => {
    const hasher = createPasswordHasher({ peppers: testKeySet('p1'), cost: COST });
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

t.test('A10 where nothing is stored the same work is done and the answer is false', async (t) => {
  const hasher = createPasswordHasher({ peppers: testKeySet('p1'), cost: COST });
  const calls = t.capture(bcrypt, 'compare', bcrypt.compare);
  t.equal(await hasher.verify('x', await hasher.hash('y')), false);
  t.equal(await hasher.verify('x', null), false);
  t.equal(await hasher.verify('x', 'nonsense'), false);
  t.equal(
    await hasher.verify('x', await createPasswordHasher({ peppers: testKeySet('p9'), cost: COST }).hash('x')),
    false,
  );
  const hashes = calls().map(({ args }) => args[1]);
  t.equal(hashes.length, 4);
  t.ok(hashes.every((hash) => bcrypt.getRounds(hash) === COST && hash.length === 60));
});

t.test('Old peppers still verify and ask for a new hash; so does another cost', async (t) => {
  const stored = await createPasswordHasher({ peppers: testKeySet('p1'), cost: COST }).hash('x');
  const rotated = createPasswordHasher({ peppers: testKeySet('p2', 'p1'), cost: COST });
  t.equal(await rotated.verify('x', stored), true);
  t.equal(rotated.needsRehash(stored), true);
  t.equal(rotated.needsRehash(await rotated.hash('x')), false);
  const dearer = createPasswordHasher({ peppers: testKeySet('p1'), cost: COST + 1 });
  t.equal(dearer.needsRehash(stored), true);
  t.equal(dearer.needsRehash('nonsense'), true);
});
