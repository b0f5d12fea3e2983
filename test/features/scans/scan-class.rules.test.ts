import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describeUserAgent } from '../../../src/features/scans/describe-agent.ts';
import {
  classifyScan,
  DUPLICATE_SCAN_WINDOW_SECONDS,
  type ScanClassificationFacts,
} from '../../../src/features/scans/scan-class.rules.ts';
import { PHONE_USER_AGENT } from '../../helper.ts';
import { t } from '../../tap.ts';

const require = createRequire(import.meta.url);
const crawlers: { instances: string[] }[] = require('crawler-user-agents');
// The package picks at random; this is its full list.
const browsersFile = join(dirname(require.resolve('user-agents')), 'user-agents.json');
const browsers: { userAgent: string }[] = JSON.parse(readFileSync(browsersFile, 'utf8'));

const STRANGER: ScanClassificationFacts = {
  accountId: 'a',
  scannerId: null,
  phoneUserId: null,
  method: 'GET',
  purpose: '',
  sinceCounted: null,
  userAgent: PHONE_USER_AGENT,
};
const classBy = (facts: Partial<ScanClassificationFacts>) => classifyScan({ ...STRANGER, ...facts });

t.test('the first matching rule decides, and is named', async (t) => {
  t.same(classBy({}), { class: 'HUMAN', rule: 'no-other-rule' });
  t.same(classBy({ scannerId: 'a', userAgent: 'curl/8' }), { class: 'OWNER', rule: 'owner-account' });
  t.same(classBy({ phoneUserId: 'a', method: 'HEAD' }), { class: 'OWNER', rule: 'owner-phone' });
  t.same(classBy({ scannerId: 'b', phoneUserId: 'c' }), { class: 'HUMAN', rule: 'no-other-rule' });
  t.same(
    classBy({ scannerId: 'b', userAgent: 'OurApplication/1.0' }).class,
    'HUMAN',
    'a signed-in user is no bot',
  );
  for (const purpose of ['prefetch', 'prefetch;prerender', 'preview', 'Prefetch', 'x prefetch'])
    t.same(classBy({ purpose }), { class: 'PREVIEW', rule: 'prefetch' }, purpose);
  t.same(classBy({ method: 'HEAD' }), { class: 'PREVIEW', rule: 'head-request' });
  t.same(classBy({ userAgent: ' ' }), { class: 'BOT', rule: 'no-agent' });
  t.same(classBy({ userAgent: 'curl/8.5.0' }), { class: 'BOT', rule: 'bot-agent' });
  t.same(classBy({ sinceCounted: 0 }), { class: 'DUPLICATE', rule: 'same-visitor' });
  t.same(classBy({ sinceCounted: DUPLICATE_SCAN_WINDOW_SECONDS - 1 }).class, 'DUPLICATE');
  t.same(classBy({ sinceCounted: DUPLICATE_SCAN_WINDOW_SECONDS }).class, 'HUMAN');
});

t.test('classifies link previews of messengers as PREVIEW', async (t) => {
  for (const userAgent of [
    'WhatsApp/2.24.20.89 A',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'TelegramBot (like TwitterBot)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'SkypeSpaces/1.0a$*+',
    'http.rb/5.1.1 (Mastodon/4.2.7; +https://mastodon.social/) Bot',
    'Viber/13.2.0.8 CFNetwork/1128.0.1 Darwin/19.6.0',
    'GoToSocial (+https://gts.example; gotosocial/0.17.1)',
    'Discourse Forum Onebox v3.3',
    'Mozilla/5.0 (compatible; Slack-LinkExpanding)',
    'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview)',
  ])
    t.same(classBy({ userAgent }), { class: 'PREVIEW', rule: 'preview-agent' }, userAgent);
});

t.test(
  'classifies a person with any application and phone as HUMAN, whatever these are called',
  async (t) => {
    const android = (model: string, application: string) =>
      `Mozilla/5.0 (Linux; Android 13; ${model}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.81 Mobile Safari/537.36 ${application}`;
    const iPhone = (application: string) =>
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 ${application}`;
    for (const userAgent of [
      ...[
        'M bot 54',
        'Discovery SE',
        'Newsday_E1',
        'Xming Google TV',
        'CG|EON',
        'Superion Radar Build/NRD90M',
      ].map((model) => android(model, '')),
      ...[
        'QRScanner/2.0',
        'QR Code Scanner',
        'Viber/11.9.5.8',
        'Tumblr/36.0',
        'Mastodon/2.9',
        'WhatsApp/2.24.25.76',
      ].map((application) => android('SM-G960F', application)),
      ...['tools', 'toolsmp', 'appbrand0'].map((name) =>
        android('ELS-AN00 Build/HUAWEIELS-AN00', `MicroMessenger/8.0.16 Process/${name} WeChat/arm64 Weixin`),
      ),
      ...['M bot 54', 'Discovery SE', 'Hisense catch'].map((model) =>
        android(model, 'YaBrowser/22.5.0 SA/3').replace('Linux; Android', 'Linux; arm_64; Android'),
      ),
      android('Hisense', 'catch/1.0; feed download tools'),
      'Mozilla/5.0 (SAMSUNG; SAMSUNG-GT-S8500/S8500XXJEE; U; Bada/1.0; nl-nl) AppleWebKit/533.1 (KHTML, like Gecko) Dolfin/2.0 Mobile WVGA SMM-MMS/1.2.0 OPN-B',
      'Nokia6300/2.0 (05.50) Profile/MIDP-2.0 Configuration/CLDC-1.1',
      'PHONE_X_11C (MRE/3.1.00(64);MAUI/_X_V02_2018;LCD/240320;DEV/PHONE_X;WAP Browser/MAUI (HTTP;HTTPS);MBOUNCE/002)',
      'dv(iPh15,4);pr(UCBrowser/11.3.5.1203);ov(17_5_1);ss(375x812);bt(GJ);pm(0);bv(0);nm(0);im(0);nt(1);',
      'FBAN/FBIOS;FBAV/182.0.0.42.80;FBDV/iPhone10,3;FBMD/iPhone;FBSN/iOS;FBSV/11.4.1;FBSS/3;FBID/phone;FBLC/en_US',
      'Mozilla/5.0 (iPad; U; CPU OS 7_1 like Mac OS X; en_US) com.google.GooglePlus/33839 (KHTML, like Gecko) Mobile/P103AP (gzip)',
      'Opera/9.80 NETTV/4.5.0 Mozilla/5.0 (Linux armv7i; CE-HTML/1.0; U; en) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0 Safari/537.36 Tbrowser/2.0 _TV_/V8',
      'Mozilla/5.0 (Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/77.0 Safari/537.36 OPR/46.0 OMI/4.20.3.54.Catcher2.147 Model/X',
      'Mozilla/5.0 (Linux; GoogleTV 3.2; TV-1 Build/MASTER) AppleWebKit/534.24 (KHTML, like Gecko) Chrome/11.0 Safari/534.24',
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Trident/4.0; QQDownload 691; .NET CLR 3.5.30729)',
      ...[
        'BarcodeScanner (unknown version)',
        'GoogleMaps/',
        'AlipayDefined(nt:WIFI,ws:390|780|3.0) AlipayClient/10',
      ].map((application) => iPhone(application)),
    ])
      t.same(
        [classBy({ userAgent }).class, describeUserAgent(userAgent).device === 'bot'],
        ['HUMAN', false],
        userAgent,
      );
  },
);

t.test('classifies a bare device, application or browser as HUMAN, and a fetcher as BOT', async (t) => {
  for (const userAgent of [
    'iPhone14',
    'iPodTouch7',
    'Normalized iPad (iOS Safari)',
    'server-bag [iPhone OS,14.1,18A8395,iPad7,5]',
    'AndroidDownloadManager/10 (Linux; U; Android 10; TECNO KD7 Build/QP1A.190711.020)',
    'com.google.GoogleMobile/37.1.0 iPad/11.0.3 hw/iPad4_2',
    'com.google.android.apps.searchlite/94333 (Linux; U; Android 9; bn_IN; LN9910; Build/PPR1; Cronet/85.0)',
    'iOS 16.3.1, iPhone, BOOM v12.6.98, webview',
    'smarttv_AFTKA_Build_0017381305986_Chromium_88.0.4324.152',
    'Firefox 3.0.5',
    'NetSurf/3.7 (Linux; Arch Linux)',
    'Google%20Earth%20Pro/7.3.3.7786 CFNetwork/1128.0.1 Darwin/19.6.0 (x86_64)',
    'Mozilla/5.0 (Windows NT 6.2; Win64; x64) AppleWebKit/538.1 (KHTML, like Gecko) Google Earth Pro/7.3.3 Safari/538.1',
    'Mozilla/5.0 (Linux x86_64) AppleWebKit/538.19 (KHTML, like Gecko) JavaFX/8.0 Safari/538.19',
  ])
    t.same(
      [classBy({ userAgent }).class, describeUserAgent(userAgent).device === 'bot'],
      ['HUMAN', false],
      userAgent,
    );
  for (const userAgent of [
    'firefox',
    'okhttp/4.9.3 (Android 14)',
    'python-requests/2.31 Android',
    'libcurl/7.58.0 iPhone',
    'Firefox 3.0 (+https://robot.example)',
    'anybot iPhone14',
  ])
    t.equal(classBy({ userAgent }).class, 'BOT', userAgent);
});

t.test('classifies a bot with the user agent of a phone or browser as BOT', async (t) => {
  for (const userAgent of [
    'Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36 Chrome-Lighthouse',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/117.0.0.0 Safari/537.36 GTmetrix',
    'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4780',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Puppeteer',
    'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.1; Trident/6.0) LinkCheck by Siteimprove.com',
    'FBAN/FBIOS;FBAV/182.0 anybot',
  ])
    t.same([classBy({ userAgent }).class, describeUserAgent(userAgent).device], ['BOT', 'bot'], userAgent);
});

t.test('needs more than a word in the agent of a browser that opens a page', async (t) => {
  const odd =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36 Tools/2';
  t.same(classBy({ userAgent: odd }), { class: 'BOT', rule: 'bot-agent' });
  t.same(classBy({ userAgent: odd, isNavigation: true }), { class: 'HUMAN', rule: 'browser-navigation' });
  for (const userAgent of [
    odd.replace('Tools', 'AnyBot'),
    odd.replace('Chrome/', 'HeadlessChrome/'),
    'curl/8 bot',
  ])
    t.equal(classBy({ userAgent, isNavigation: true }).class, 'BOT', userAgent);
});

t.test('distinguishes 99 percent of thousands of known bots and browsers', async (t) => {
  const bots = crawlers.flatMap(({ instances }) => instances);
  const humans = [...new Set(browsers.map(({ userAgent }) => userAgent))];
  t.ok(bots.length > 2_000 && humans.length > 900);
  const missed = bots.filter((userAgent) => !['BOT', 'PREVIEW'].includes(classBy({ userAgent }).class));
  t.ok(missed.length < bots.length / 100, missed.join('\n'));
  const wronged = humans.filter((userAgent) => classBy({ userAgent }).class !== 'HUMAN');
  t.ok(wronged.length < humans.length / 100, wronged.join('\n'));
  const recognized = humans.filter((userAgent) => {
    const { device, os, browser } = describeUserAgent(userAgent);
    return device !== 'unknown' && device !== 'bot' && os !== 'unknown' && browser !== 'unknown';
  });
  t.ok(recognized.length > humans.length * 0.98, `${recognized.length} of ${humans.length}`);
});

t.test('describes a user agent by families, never by versions', async (t) => {
  t.same(describeUserAgent(PHONE_USER_AGENT), { device: 'phone', os: 'iOS', browser: 'Safari' });
  t.same(describeUserAgent(''), { device: 'unknown', os: 'unknown', browser: 'unknown' });
  t.equal(describeUserAgent('curl/8.5.0').device, 'bot');
  const kaios = 'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.1';
  t.same(describeUserAgent(kaios), { device: 'phone', os: 'KaiOS', browser: 'Firefox' });
  const bsd = 'Mozilla/5.0 (X11; FreeBSD amd64; rv:132.0) Gecko/20100101 Firefox/132.0';
  t.same(describeUserAgent(bsd), { device: 'desktop', os: 'FreeBSD', browser: 'Firefox' });
  t.same(describeUserAgent(`nothing known ${'x'.repeat(400)}`).os, 'unknown');
});

t.test('names browsers whatever the phone is called, and none that it does not know', async (t) => {
  const android = (model: string, application: string) =>
    `Mozilla/5.0 (Linux; Android 9; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/74.0 ${application}Mobile Safari/537.36`;
  for (const [userAgent, browser] of [
    [android('PHANTOM6 Plus', ''), 'Chrome'],
    [android('Opera', ''), 'Chrome'],
    [android('SM-G960F', 'Phantom/android/25.17 '), 'Chrome'],
    [
      'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
      'PhantomJS',
    ],
    [android('SM-G960F', 'yandexsearch/10.80 yandexsearchwebview/10.80 '), 'Yandex Browser'],
    [android('SM-G960F', 'YaBrowser/22.5.0.226.00 SA/3 '), 'Yandex Browser'],
    [android('SM-G960F', 'YaApp_Android/22.1 YaSearchBrowser/22.1 BroPP/1.0 SA/3 '), 'Yandex Browser'],
    ['Nokia6300/2.0 (05.50) Profile/MIDP-2.0 Configuration/CLDC-1.1', 'unknown'],
    ['An agent of its own (x) of words', 'unknown'],
  ] as const)
    t.equal(describeUserAgent(userAgent).browser, browser, userAgent);
});
