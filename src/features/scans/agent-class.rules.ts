import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

/** What an agent says it is; OTHER is a person's, as far as it says. */
export type AgentClass = 'PREVIEW' | 'BOT' | 'OTHER';

// What fetches a link for the picture beside it in a message, or to look whether it is safe, before anybody opens it.
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

// Applications and servers of messages that fetch by their own name, which their windows add to a browser's.
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

// Robots, and services that drive a browser, that the list of isbot does not know.
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
];

const PREVIEW_PATTERN = createPattern(PREVIEW_AGENTS);
const PREVIEW_APPLICATION_PATTERN = createPattern(PREVIEW_APPLICATIONS);
const BOT_PATTERN = createPattern(BOT_AGENTS);

/** What shows pages names one of these. */
const BROWSER_ENGINE_PATTERN = /webkit|gecko\/|trident|msie|presto|opera/i;

// The model is a name that a maker gave a phone: "Discovery", "M bot 54" and "Newsday" are sold.
const ANDROID_MODEL_PATTERN =
  /(\(Linux;(?: U;)? Android [\w.]+(?:; [a-z]{2}[-_][a-z]{2})?); (?!compatible)[^;)]*/i;

// What the list of isbot takes for robots in browsers of people: to read a code with is what this service is for.
const FALSE_BOT_PATTERN =
  /\b\w*(?:qr|code|huawei)[\w -]*scan\w*|\bsogou(?:mse|mobilebrowser|search)\b|\balipaydefined\([^)]*\)|\bgoogle(?:maps|lens)\b/gi;

/** Answers that were found: the same every time, and few agents make most scans. */
const classCache = new LRUCache<string, AgentClass>({ max: 5_000, memoMethod: computeAgentClass });

/** Whether an agent calls itself a robot or a fetcher of previews. */
export function classifyAgent(userAgent: string): AgentClass {
  return classCache.memo(userAgent);
}

function computeAgentClass(userAgent: string): AgentClass {
  const agentWithoutModel = userAgent.replace(ANDROID_MODEL_PATTERN, '$1');
  const isBrowser = BROWSER_ENGINE_PATTERN.test(agentWithoutModel);
  if (
    PREVIEW_PATTERN.test(agentWithoutModel) ||
    (!isBrowser && PREVIEW_APPLICATION_PATTERN.test(agentWithoutModel))
  )
    return 'PREVIEW';
  if (BOT_PATTERN.test(userAgent)) return 'BOT';
  return isbot(isBrowser ? agentWithoutModel.replace(FALSE_BOT_PATTERN, '') : agentWithoutModel)
    ? 'BOT'
    : 'OTHER';
}

function createPattern(parts: readonly string[]): RegExp {
  return new RegExp(parts.join('|'), 'i');
}
