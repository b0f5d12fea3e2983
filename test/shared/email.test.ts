import { isEmail, normalizeEmail, toMailbox } from '../../src/shared/email.ts';
import { t } from '../tap.ts';

t.test('an address that is not ASCII before the @ is refused before it is normalized', async (t) => {
  for (const address of [
    '\u212aate@example.org',
    '\u212a@example.org',
    '\uff4bate@example.org',
    'k\u0131te@example.org',
    'mar\u017fha@example.org',
    'j\u00f6rg@example.org',
    'ka\u200bte@example.org',
    '\u00a0kate@example.org',
    '\ufeffkate@example.org',
  ])
    t.equal(normalizeEmail(address), null, JSON.stringify(address));
  t.equal(normalizeEmail(' Kate@Example.org '), 'kate@example.org');
});

t.test('a domain that would be read as the host of a URL is refused', async (t) => {
  for (const domain of [
    'example.org/evil.net',
    'example.org?evil.net',
    'example.org#evil.net',
    'example.org\\evil.net',
    'ex%61mple.org',
    'exa\tmple.org',
    'exa\nmple.org',
    'exam\u00adple.org',
    'exam\u200bple.org',
    'example.org:80',
    'example.org.',
  ])
    t.equal(normalizeEmail(`kate@${domain}`), null, JSON.stringify(domain));
  t.equal(normalizeEmail('kate@b\u00fccher.example'), 'kate@xn--bcher-kva.example');
  t.equal(normalizeEmail('kate@\u65e5\u672c\u3002jp'), 'kate@xn--wgv71a.jp');
  t.equal(normalizeEmail('kate@l\u00b7l.cat'), 'kate@xn--ll-0ea.cat');
});

t.test('subaddresses, and spellings with dots where they mean nothing, are one mailbox', async (t) => {
  t.equal(toMailbox('kate+dogs+more@example.org'), 'kate@example.org');
  t.equal(toMailbox('k.a.t.e@example.org'), 'k.a.t.e@example.org');
  t.equal(toMailbox('k.a.t.e+x@googlemail.com'), 'kate@gmail.com');
  t.equal(toMailbox('+kate@example.org'), '+kate@example.org');
});

t.test('accepts domains in any script and rejects URL syntax in a domain', async (t) => {
  for (const domain of [
    'example.com/',
    'exam\rple.com',
    'exam\uff0fple.com',
    'exam\uff0561ple.com',
    ' example.com',
    'example.com:25',
    'user:password@example.com',
    '[127.0.0.1]',
    '127.0.0.1',
    '0x7f.1',
    'exam\ud800ple.com',
  ])
    t.equal(normalizeEmail(`kate@${domain}`), null, JSON.stringify(domain));
  for (const [domain, written] of [
    ['Z\u00fcrich.ch', 'xn--zrich-kva.ch'],
    ['\uff45xample.com', 'example.com'],
    ['example\u3002com', 'example.com'],
    ['\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com', 'xn--mgba3gch31f060k.com'],
    ['example.com ', 'example.com'],
  ])
    t.equal(normalizeEmail(`kate@${domain}`), `kate@${written}`);
  t.notOk(isEmail('kate@example.com '));
  t.equal(normalizeEmail(`kate@${'\u212a'.repeat(60)}/`), null);
});
