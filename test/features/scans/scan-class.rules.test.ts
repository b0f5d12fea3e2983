import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import t from 'tap';
import { describeAgent } from '../../../src/features/scans/agent.ts';
import { type ClassFacts, classOf, DUPLICATE_WINDOW } from '../../../src/features/scans/scan-class.rules.ts';
import { PHONE } from '../../helper.ts';

const require = createRequire(import.meta.url);
const crawlers: { instances: string[] }[] = require('crawler-user-agents');
// The package draws from its list at random; the list itself lies beside it.
const browsersFile = join(dirname(require.resolve('user-agents')), 'user-agents.json');
const browsers: { userAgent: string }[] = JSON.parse(readFileSync(browsersFile, 'utf8'));

const STRANGER: ClassFacts = {
  ...{ ownerId: 'a', accountId: null, ownPhoneOf: null, method: 'GET', purpose: '', sinceCounted: null },
  userAgent: PHONE,
};
const classBy = (facts: Partial<ClassFacts>) => classOf({ ...STRANGER, ...facts });

t.test('The first rule that holds decides, and is named', async (t) => {
  t.same(classBy({}), { class: 'HUMAN', rule: 'no-other-rule' });
  t.same(classBy({ accountId: 'a', userAgent: 'curl/8' }), { class: 'OWNER', rule: 'owner-account' });
  t.same(classBy({ ownPhoneOf: 'a', method: 'HEAD' }), { class: 'OWNER', rule: 'owner-phone' });
  t.same(classBy({ accountId: 'b', ownPhoneOf: 'c' }), { class: 'HUMAN', rule: 'no-other-rule' });
  t.same(
    classBy({ accountId: 'b', userAgent: 'OurApplication/1.0' }).class,
    'HUMAN',
    'signed in is no robot',
  );
  for (const purpose of ['prefetch', 'prefetch;prerender', 'preview', 'Prefetch', 'x prefetch'])
    t.same(classBy({ purpose }), { class: 'PREVIEW', rule: 'prefetch' }, purpose);
  t.same(classBy({ method: 'HEAD' }), { class: 'PREVIEW', rule: 'head-request' });
  t.same(classBy({ userAgent: ' ' }), { class: 'BOT', rule: 'no-agent' });
  t.same(classBy({ userAgent: 'curl/8.5.0' }), { class: 'BOT', rule: 'bot-agent' });
  t.same(classBy({ sinceCounted: 0 }), { class: 'DUPLICATE', rule: 'same-visitor' });
  t.same(classBy({ sinceCounted: DUPLICATE_WINDOW - 1 }).class, 'DUPLICATE');
  t.same(classBy({ sinceCounted: DUPLICATE_WINDOW }).class, 'HUMAN');
});

t.test('What messengers fetch for a picture is no person', async (t) => {
  for (const userAgent of [
    'WhatsApp/2.24.20.89 A',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'TelegramBot (like TwitterBot)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  ])
    t.same(classBy({ userAgent }), { class: 'PREVIEW', rule: 'preview-agent' }, userAgent);
});

t.test('Of thousands of robots and browsers in use 99 in a hundred are told apart', async (t) => {
  const robots = crawlers.flatMap(({ instances }) => instances);
  const people = [...new Set(browsers.map(({ userAgent }) => userAgent))];
  t.ok(robots.length > 2_000 && people.length > 900);
  const missed = robots.filter((userAgent) => !['BOT', 'PREVIEW'].includes(classBy({ userAgent }).class));
  t.ok(missed.length < robots.length / 100, missed.join('\n'));
  const wronged = people.filter((userAgent) => classBy({ userAgent }).class !== 'HUMAN');
  t.ok(wronged.length < people.length / 100, wronged.join('\n'));
  const known = people.filter((userAgent) => {
    const { device, os, browser } = describeAgent(userAgent);
    return device !== 'unknown' && device !== 'bot' && os !== 'unknown' && browser !== 'unknown';
  });
  t.ok(known.length > people.length * 0.98, `${known.length} of ${people.length}`);
});

t.test('An agent is described by families, never by versions', async (t) => {
  t.same(describeAgent(PHONE), { device: 'phone', os: 'iOS', browser: 'Safari' });
  t.same(describeAgent(''), { device: 'unknown', os: 'unknown', browser: 'unknown' });
  t.equal(describeAgent('curl/8.5.0').device, 'bot');
  t.same(describeAgent(`nothing known ${'x'.repeat(400)}`).os, 'unknown');
});
