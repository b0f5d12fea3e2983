import { randomBytes } from 'node:crypto';
import {
  consumePasswordReset,
  findPasswordReset,
} from '../../../src/features/identity/accounts/password-reset.repository.ts';
import { revokeUserAccess } from '../../../src/features/identity/accounts/revoke-access.ts';
import {
  endSession,
  insertSession,
  lockOpenSession,
  lockRefreshToken,
} from '../../../src/features/identity/accounts/session.repository.ts';
import { findPendingLogin } from '../../../src/features/identity/second-factor/pending-login.repository.ts';
import { consumeRecoveryCode } from '../../../src/features/identity/second-factor/recovery-code.repository.ts';
import {
  consumeTotpStep,
  upsertSecondFactorEnrollment,
} from '../../../src/features/identity/second-factor/second-factor.repository.ts';
import { findOwnIdentity } from '../../../src/features/identity/sign-in/identity.repository.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { insertTestUser, openClonedDatabase } from '../../clone-database.ts';
import { t } from '../../tap.ts';

const database = await openClonedDatabase(t);
const { client } = database;
const [ada, eve] = [await insertTestUser(database), await insertTestUser(database)];
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

function openSession(userId: string, tokenHash = randomBytes(32)) {
  const session = { userId, ip: '', userAgent: '', network: '', tokenHash, expiresAt: inHours(1) };
  return database.transaction((tx) => insertSession(tx, session));
}

t.test('a session is ended and locked only for its user, and while it is open', async (t) => {
  const tokenHash = randomBytes(32);
  const id = await openSession(ada, tokenHash);
  const end = (userId: string) => database.transaction((tx) => endSession(tx, userId, id, 'REVOKED'));
  const isOpen = (userId = ada) => database.transaction((tx) => lockOpenSession(tx, userId, id));
  const isTokenValid = () =>
    database.transaction(async (tx) => (await lockRefreshToken(tx, tokenHash, false))?.isValid);
  t.equal(await end(eve), false);
  t.equal(await isOpen(eve), false);
  t.equal(await isOpen(), true);
  t.equal(await isTokenValid(), true);
  await client.session.update({ where: { id }, data: { expiresAt: inHours(-1) } });
  t.equal(await isOpen(), false, 'expired');
  await client.session.update({ where: { id }, data: { expiresAt: inHours(1) } });
  t.equal(await end(ada), true);
  t.equal(await isOpen(), false, 'ended');
  t.equal(await isTokenValid(), false, 'the refresh token of an ended session');
  t.equal(await end(ada), false, 'ended once');
});

t.test('revoking access ends sessions, reset links and device tokens', async (t) => {
  const tokenHash = randomBytes(32);
  const [current, ended] = [await openSession(ada), await openSession(ada)];
  await client.passwordReset.create({
    data: { id: generateId(), userId: ada, tokenHash, expiresAt: inHours(1) },
  });
  const { accessEpoch } = await client.user.findUniqueOrThrow({ where: { id: ada } });
  const epoch = await database.transaction((tx) => revokeUserAccess(tx, ada, 'PASSWORD_CHANGED', current));
  t.equal(epoch, accessEpoch + 1);
  t.equal((await client.user.findUniqueOrThrow({ where: { id: ada } })).accessEpoch, epoch);
  t.equal((await client.session.findUniqueOrThrow({ where: { id: current } })).endedAt, null);
  t.ok((await client.session.findUniqueOrThrow({ where: { id: ended } })).endedAt);
  t.equal(await findPasswordReset(client, tokenHash), null);
});

t.test('a reset link works once, and expires', async (t) => {
  const create = async (hours: number) => {
    const tokenHash = randomBytes(32);
    const data = { id: generateId(), userId: ada, tokenHash, expiresAt: inHours(hours) };
    await client.passwordReset.create({ data });
    return tokenHash;
  };
  const consume = (hash: Uint8Array) => database.transaction((tx) => consumePasswordReset(tx, ada, hash));
  const expired = await create(-1);
  t.equal(await findPasswordReset(client, expired), null);
  t.equal(await consume(expired), false);
  const valid = await create(1);
  t.match(await findPasswordReset(client, valid), { userId: ada });
  t.equal(await consume(valid), true);
  t.equal(await findPasswordReset(client, valid), null);
  t.equal(await consume(valid), false);
});

t.test('a second factor is not replaced, and its codes work once', async (t) => {
  const secret = randomBytes(20);
  const enroll = () =>
    database.transaction((tx) =>
      upsertSecondFactorEnrollment(tx, { userId: ada, secret, pendingUntil: inHours(1) }),
    );
  t.equal(await enroll(), true);
  t.equal(await enroll(), true, 'begun again');
  await client.secondFactor.update({
    where: { userId: ada },
    data: { confirmedAt: new Date(), pendingUntil: null, lastStep: 10 },
  });
  t.equal(await enroll().catch(() => 'an error'), false, 'confirmed');
  const consumeStep = (step: number) => database.transaction((tx) => consumeTotpStep(tx, ada, step));
  t.same(
    [await consumeStep(10), await consumeStep(11), await consumeStep(11), await consumeStep(9)],
    [false, true, false, false],
  );
  const codeHash = randomBytes(32);
  await client.recoveryCode.create({ data: { userId: ada, codeHash } });
  const consumeCode = (userId: string) =>
    database.transaction((tx) => consumeRecoveryCode(tx, userId, codeHash));
  t.same([await consumeCode(eve), await consumeCode(ada), await consumeCode(ada)], [false, true, false]);

  const login = { tokenHash: randomBytes(32), userId: ada, loginFingerprint: randomBytes(32) };
  await client.pendingLogin.create({ data: { ...login, expiresAt: inHours(1) } });
  t.match(await findPendingLogin(client, login.tokenHash), { userId: ada });
  await client.pendingLogin.updateMany({ data: { expiresAt: inHours(-1) } });
  t.equal(await findPendingLogin(client, login.tokenHash), null, 'expired');
});

t.test('an identity is of its user', async (t) => {
  const id = generateId();
  const identity = { userId: ada, issuer: 'https://id.example', subject: '1', email: 'a@example.org' };
  await client.userIdentity.create({ data: { id, ...identity, confirmedAt: new Date() } });
  const find = (userId: string) => database.transaction((tx) => findOwnIdentity(tx, userId, id));
  t.match(await find(ada), { id });
  t.equal(await find(eve), null);
});
