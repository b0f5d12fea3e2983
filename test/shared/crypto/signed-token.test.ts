import { createKeyedHashFunction } from '../../../src/shared/crypto/keyed-hash.ts';
import { CONTEXT, defineSignedToken } from '../../../src/shared/crypto/signed-token.ts';
import { generateId, isId } from '../../../src/shared/ids.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const hasher = { hash: createKeyedHashFunction('a secret of more than 32 characters, for tests') };
const otherHasher = { hash: createKeyedHashFunction('another secret of more than 32 characters') };

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const after = (seconds: number) => NOW + seconds * 1000;

const WORD = /^\w*$/;
const linkOptions = {
  purpose: 'test-link',
  parts: { id: isId, word: WORD, userId: CONTEXT, epoch: CONTEXT },
  lifetimeSeconds: 60,
} as const;
const link = defineSignedToken(linkOptions);

const values = { id: generateId(), word: 'red', userId: 'ada', epoch: 3 };
const context = { userId: 'ada', epoch: 3 };
const token = link.create(hasher, values, NOW);

t.test('a token has its parts, its expiry and a keyed hash of them and the context', async (t) => {
  const expiry = String(NOW / 1000 + 60);
  const signature = hasher.hash('test-link', values.id, 'red', 'ada', '3', expiry).toString('base64url');
  t.equal(token, `${values.id}.red.${expiry}.${signature}`);
  const parsed = { id: values.id, word: 'red', expiresAt: new Date(after(60)) };
  t.same(link.parse(token, NOW), parsed);
  t.same(link.verify(hasher, token, context, NOW), parsed);
});

t.test('a token works until it expires', async (t) => {
  t.ok(link.verify(hasher, token, context, after(59.999)));
  for (const at of [after(60), after(3_600)]) {
    t.equal(link.verify(hasher, token, context, at), null);
    t.equal(link.parse(token, at), null);
  }
});

t.test('a token is of one context, one purpose and one key', async (t) => {
  t.equal(link.verify(hasher, token, { ...context, userId: 'eve' }, NOW), null);
  t.equal(link.verify(hasher, token, { ...context, epoch: 4 }, NOW), null);
  t.equal(link.verify(otherHasher, token, context, NOW), null);
  const other = defineSignedToken({ ...linkOptions, purpose: 'another-link' });
  t.equal(other.verify(hasher, token, context, NOW), null);
  t.ok(other.verify(hasher, other.create(hasher, values, NOW), context, NOW));
});

t.test('a context does not stand in for a part of the token', async (t) => {
  const [, ...rest] = token.split('.');
  const altered = [generateId(), ...rest].join('.');
  t.equal(link.verify(hasher, altered, { ...context, ...{ id: values.id } }, NOW), null);
});

t.test('a token that is altered in any place, or truncated, is invalid', async (t) => {
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.string({ maxLength: 3 }), (at, text) => {
      const altered = token.slice(0, at) + text + token.slice(at + 1);
      return altered === token || link.verify(hasher, altered, context, NOW) === null;
    }),
  );
  const [id = '', word = '', expiry = '', signature = ''] = token.split('.');
  const wrong = [
    `${generateId()}.${word}.${expiry}.${signature}`,
    `${id}.blue.${expiry}.${signature}`,
    `${id}.${word}.${Number(expiry) + 1}.${signature}`,
    `${id}.${word}.0${expiry}.${signature}`,
    `${id}.${word}.${signature}`,
    `${id}.${word}.${expiry}`,
    `${id}.${word}.${expiry}.`,
    `${token}.`,
    `${token}.${signature}`,
    '',
    undefined,
    [token],
  ];
  for (const text of wrong) t.equal(link.verify(hasher, text, context, NOW), null, String(text));
  for (let length = 0; length < token.length; length += 1)
    t.equal(link.verify(hasher, token.slice(0, length), context, NOW), null);
});

t.test('text moved from one part to another is another token', async (t) => {
  const pair = defineSignedToken({
    purpose: 'pair',
    parts: { a: WORD, b: WORD, c: CONTEXT },
    lifetimeSeconds: null,
  });
  const signature = pair.create(hasher, { a: 'ab', b: 'c', c: 'd' }).split('.').at(-1);
  t.ok(pair.verify(hasher, `ab.c.${signature}`, { c: 'd' }));
  t.equal(pair.verify(hasher, `a.bc.${signature}`, { c: 'd' }), null);
  t.equal(pair.verify(hasher, `ab..${signature}`, { c: 'cd' }), null);
});

t.test('a part with the separator, or of another form, is no part of a token', async (t) => {
  const free = defineSignedToken({
    purpose: 'free',
    parts: { text: () => true, name: CONTEXT },
    lifetimeSeconds: null,
  });
  t.throws(() => free.create(hasher, { text: 'a.b', name: 'c' }), TypeError);
  t.throws(() => link.create(hasher, { ...values, id: 'x' }, NOW), TypeError);
  const dotted = free.create(hasher, { text: '', name: 'a.b' });
  t.ok(free.verify(hasher, dotted, { name: 'a.b' }), 'a context may contain it');
  t.equal(free.verify(hasher, dotted, { name: 'a' }), null);
});

t.test('the expiry of a context is signed and checked', async (t) => {
  const ticket = defineSignedToken({ purpose: 'ticket', parts: { id: CONTEXT }, lifetimeSeconds: CONTEXT });
  const ofTicket = { id: 'x', expiresAt: new Date(after(60)) };
  const text = ticket.create(hasher, ofTicket);
  t.equal(text, hasher.hash('ticket', 'x', '2026-11-01T12:01:00.000Z').toString('base64url'));
  t.ok(ticket.verify(hasher, text, ofTicket, after(59)));
  t.equal(ticket.verify(hasher, text, ofTicket, after(60)), null, 'expired');
  t.equal(
    ticket.verify(hasher, text, { ...ofTicket, expiresAt: new Date(after(90)) }, NOW),
    null,
    'another expiry',
  );
});

t.test('a token without an expiry works as long as its context', async (t) => {
  const forever = defineSignedToken({ purpose: 'forever', parts: { id: isId }, lifetimeSeconds: null });
  const text = forever.create(hasher, { id: values.id }, NOW);
  t.same(forever.verify(hasher, text, {}, Date.parse('2099-01-01')), { id: values.id });
  t.equal(forever.verify(hasher, text.replace('.', `.${NOW}.`), {}), null);
});

t.test('signs its text as one where links were mailed so', async (t) => {
  const report = defineSignedToken({ ...linkOptions, signsTextAsOne: true });
  const text = report.create(hasher, values, NOW);
  const signed = text.slice(0, text.lastIndexOf('.'));
  t.equal(text, `${signed}.${hasher.hash('test-link', signed, 'ada', '3').toString('base64url')}`);
  t.ok(report.verify(hasher, text, context, NOW));
  t.equal(report.verify(hasher, text, { ...context, epoch: 4 }, NOW), null);
  t.equal(report.verify(hasher, token, context, NOW), null);
});
