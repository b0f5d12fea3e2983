import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';
import { classifyUserAgent } from './agent-class.rules.ts';

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

const descriptionCache = new LRUCache<string, UserAgentDescription>({ max: 5_000, memoMethod: parseAgent });

export function describeUserAgent(userAgent: string): UserAgentDescription {
  return descriptionCache.memo(userAgent);
}

function parseAgent(userAgent: string): UserAgentDescription {
  if (userAgent.trim() === '') return UNKNOWN_AGENT;
  const { platform, os, browser } = Bowser.parse(userAgent);
  const system =
    os.name ?? EXTRA_SYSTEMS.find((name) => userAgent.toLowerCase().includes(name.toLowerCase()));
  return {
    device: classifyUserAgent(userAgent) === 'OTHER' ? getDevice(platform.type, system) : 'bot',
    os: toFamilyName(system),
    browser: toFamilyName(browser.name),
  };
}

function getDevice(type: string | undefined, os: string | undefined): UserAgentDescription['device'] {
  return DEVICE_BY_PLATFORM[type ?? ''] ?? (DESKTOP_SYSTEMS.includes(os ?? '') ? 'desktop' : 'unknown');
}

function toFamilyName(name: string | undefined): string {
  return name ? name.slice(0, 40) : 'unknown';
}
