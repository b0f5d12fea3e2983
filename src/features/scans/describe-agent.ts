import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';
import { classifyUserAgent, removeDeviceModel } from './agent-class.rules.ts';

/** Families without versions, which would help to identify a visitor. */
export interface UserAgentDescription {
  device: 'phone' | 'tablet' | 'desktop' | 'tv' | 'bot' | 'unknown';
  os: string;
  browser: string;
}

const UNKNOWN_AGENT: UserAgentDescription = { device: 'unknown', os: 'unknown', browser: 'unknown' };

const DEVICE_BY_PLATFORM: Record<string, UserAgentDescription['device']> = {
  mobile: 'phone',
  tablet: 'tablet',
  desktop: 'desktop',
  tv: 'tv',
  bot: 'bot',
};

const EXTRA_SYSTEMS = [
  'KaiOS',
  'FreeBSD',
  'OpenBSD',
  'NetBSD',
  'SymbianOS',
  'Sailfish',
  'Nintendo',
  'PlayStation',
];

const DESKTOP_SYSTEMS = ['Chrome OS', 'FreeBSD', 'OpenBSD', 'NetBSD'];

const BROWSER_NAMES = new Set<string>(Object.values(Bowser.BROWSER_MAP));

const YANDEX_PATTERN = /\b(?:YaBrowser|YaApp_\w+|YaSearchBrowser|YaSearchApp|Yowser|YandexSearch)\//i;

const descriptionCache = new LRUCache<string, UserAgentDescription>({ max: 5_000, memoMethod: parseAgent });

export function describeUserAgent(userAgent: string): UserAgentDescription {
  return descriptionCache.memo(userAgent);
}

function parseAgent(userAgent: string): UserAgentDescription {
  if (userAgent.trim() === '') return UNKNOWN_AGENT;
  const { platform, os } = Bowser.parse(userAgent);
  const system =
    os.name ?? EXTRA_SYSTEMS.find((name) => userAgent.toLowerCase().includes(name.toLowerCase()));
  return {
    device: classifyUserAgent(userAgent) === 'OTHER' ? getDevice(platform.type, system) : 'bot',
    os: toFamilyName(system),
    browser: parseBrowserName(removeDeviceModel(userAgent)),
  };
}

/** Bowser does not know the applications of Yandex, and calls an unknown browser by the first word of its agent. */
function parseBrowserName(agentWithoutModel: string): string {
  if (YANDEX_PATTERN.test(agentWithoutModel)) return 'Yandex Browser';
  // Phantom is a browser of phones, PhantomJS a bot.
  const { name } = Bowser.parse(agentWithoutModel.replace(/phantom(?!js)/gi, '')).browser;
  return name !== undefined && BROWSER_NAMES.has(name) ? name : 'unknown';
}

function getDevice(type: string | undefined, os: string | undefined): UserAgentDescription['device'] {
  return DEVICE_BY_PLATFORM[type ?? ''] ?? (DESKTOP_SYSTEMS.includes(os ?? '') ? 'desktop' : 'unknown');
}

function toFamilyName(name: string | undefined): string {
  return name ? name.slice(0, 40) : 'unknown';
}
