import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

export type UserAgentClass = 'PREVIEW' | 'BOT' | 'OTHER';

// Fetchers of link previews in messengers, and link scanners.
const PREVIEW_AGENTS = [
  'preview',
  'unfurl',
  'link-?expan',
  'onebox',
  'embedly',
  'notionembedder',
  'iframely',
  'facebookexternalhit',
  'facebookcatalog',
  'facebot',
  'meta-externalfetcher',
  'telegrambot',
  'twitterbot',
  'slackbot',
  'slack-imgproxy',
  'discordbot',
  'linkedinbot',
  'teamsbot',
  'skypespaces',
  'office existence discovery',
  'kakaotalk-scrap',
  'line-poker',
  'redditbot',
  'pinterestbot',
  'pinterest/0',
  'vkshare',
  'odklbot',
  'steamchaturllookup',
  'cardyb',
  'summaly',
  'mattermost-bot',
  'zoombot',
  'guildedbot',
  'keybasebot',
  'wechatbot',
  'larkurl2png',
  'google-pagerenderer',
  'web/snippet',
  'googlemessages',
  'google-safety',
  'bitlybot',
  'flipboardproxy',
  'xing-contenttabreceiver',
  'hatena',
  'outbrain',
];

// Messengers that add their own name to that of a browser.
const PREVIEW_APPLICATIONS = [
  'whatsapp',
  'viber',
  'tumblr',
  'mastodon',
  'misskey',
  'sharkey',
  'firefish',
  'iceshrimp',
  'pleroma',
  'akkoma',
  'gotosocial',
  'friendica',
  'pixelfed',
  'lemmy',
  'synapse',
  'matrix-media-repo',
  'rocket\\.chat',
  'revolt',
  'ms-office',
];

// Bots and browser automation that isbot does not list.
const BOT_AGENTS = [
  'powershell',
  'puppeteer',
  'gtmetrix',
  'checkly',
  'virustotal',
  'assetnote',
  'amzn-user',
  'catchpoint',
  'barracuda sentinel',
  'siteimprove',
  'websitepulse',
  'transcoder',
];

const PREVIEW_PATTERN = createPattern(PREVIEW_AGENTS);
const PREVIEW_APPLICATION_PATTERN = createPattern(PREVIEW_APPLICATIONS);
const BOT_PATTERN = createPattern(BOT_AGENTS);

const BROWSER_ENGINE_PATTERN =
  /webkit|khtml|gecko\/|trident|msie|presto|opera|midp|cldc|obigo|teleca|netfront|polaris|palmsource|maple\d|browser\b|\bfbav\//i;

// Devices and engines of people, also old ones that say nothing else about themselves: bots imitate them, but then name
// themselves.
const DEVICE_PLATFORM_PATTERN =
  /\b(?:android|ios|iphone\w*|ipad\w*|ipod\w*|iph\d+,|bada|blackberry\w*|bb10|brew|palmos|tizen|maui|fbav|wap[ -]browser|smart-?tv(?:_\w+)?|googletv|nettv|ce-html|hbbtv|web0s|webos|kaios|windows phone|playstation|nintendo|xbox|symbian\w*|meego|j2me|midp|cldc|maple\d+|opera tv|omi\/\d|sagemcom\w*|msie \d|trident\/\d)\b/i;

// HTTP client libraries; some also name the phone they run on.
const HTTP_CLIENT_PATTERN =
  /\b(?:okhttp|dalvik|(?:lib)?curl|wget|python[\w-]*|java|go-http[\w-]*|axios|node[\w-]*|dart|ktor[\w-]*|exoplayer\w*)\b/i;

// Browsers that name no engine.
const BARE_BROWSER_PATTERN =
  /^(?:firefox[ /]\d|bonecho|midori|omniweb|netsurf|hotjava|ncsa_mosaic|nook browser|privacybrowser|ddg[-_]android|google(?: |%20)?earth|microsoft pocket internet explorer)\b/i;

// How a bot names itself. Words such as "tools" or "catch" are also in agents of phones and in-app browsers.
const BOT_NAME_PATTERN =
  /(?<! cu)bots?(?:\b|_)|crawl|spider|(?<!lib)https?:|headless|lighthouse|pagespeed|scrape|playwright|puppeteer|selenium|@[a-z][\w-]*\.|google-\w|optimizer|adbeat|hotjar/i;

// Model names of phones, such as "Discovery", "M bot 54" and "Newsday".
const ANDROID_MODEL_PATTERN =
  /(\(Linux;(?: U;| arm\w*;| aarch64;| x86\w*;)* Android [\w.]+(?:; [a-z]{2}[-_][a-z]{2})?); (?!compatible)[^;)]*/i;

// Browsers that isbot lists as bots; QR code readers are used by humans here.
const FALSE_BOT_PATTERN =
  /\b\w*(?:qr|code|huawei)[\w -]*scan\w*|\bsogou(?:mse|mobilebrowser|search)\b|\balipaydefined\([^)]*\)|\b(?:google(?:maps|lens| ?earth(?: pro)?)|javafx|inspectbrowser)\b/gi;

const classCache = new LRUCache<string, UserAgentClass>({ max: 5_000, memoMethod: computeAgentClass });

export function classifyUserAgent(userAgent: string): UserAgentClass {
  return classCache.memo(userAgent);
}

/** The model of a phone can have any name, also that of a browser or a bot. */
export function removeDeviceModel(userAgent: string): string {
  return userAgent.replace(ANDROID_MODEL_PATTERN, '$1');
}

export function isSelfDeclaredBot(userAgent: string): boolean {
  return BOT_NAME_PATTERN.test(removeDeviceModel(userAgent).replace(FALSE_BOT_PATTERN, ''));
}

function computeAgentClass(userAgent: string): UserAgentClass {
  const agentWithoutModel = removeDeviceModel(userAgent);
  const isBrowser = BROWSER_ENGINE_PATTERN.test(agentWithoutModel);
  if (
    PREVIEW_PATTERN.test(agentWithoutModel) ||
    (!isBrowser && PREVIEW_APPLICATION_PATTERN.test(agentWithoutModel))
  )
    return 'PREVIEW';
  if (BOT_PATTERN.test(userAgent)) return 'BOT';
  if (
    BARE_BROWSER_PATTERN.test(userAgent) ||
    (DEVICE_PLATFORM_PATTERN.test(agentWithoutModel) &&
      (isBrowser || !HTTP_CLIENT_PATTERN.test(agentWithoutModel)))
  )
    return isSelfDeclaredBot(userAgent) ? 'BOT' : 'OTHER';
  return isbot(isBrowser ? agentWithoutModel.replace(FALSE_BOT_PATTERN, '') : agentWithoutModel)
    ? 'BOT'
    : 'OTHER';
}

function createPattern(parts: readonly string[]): RegExp {
  return new RegExp(parts.join('|'), 'i');
}
