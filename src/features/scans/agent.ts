import Bowser from 'bowser';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

/** What an agent says of itself, in families: never a version, which would help to tell one person from another. */
export interface Agent {
  device: 'phone' | 'tablet' | 'desktop' | 'tv' | 'bot' | 'unknown';
  /** Android, iOS, Windows, macOS, …; unknown. */
  os: string;
  /** Chrome, Safari, Firefox, …; unknown. */
  browser: string;
}

const UNKNOWN: Agent = { device: 'unknown', os: 'unknown', browser: 'unknown' };

const DEVICES: Record<string, Agent['device']> = {
  mobile: 'phone',
  tablet: 'tablet',
  desktop: 'desktop',
  tv: 'tv',
  bot: 'bot',
};

/** Descriptions that were made: the same every time, and few agents make most scans. */
const known = new LRUCache<string, Agent>({ max: 5_000, memoMethod: parsed });

/** Device, operating system and browser of an agent, as families. */
export function describeAgent(userAgent: string): Agent {
  return known.memo(userAgent);
}

function parsed(userAgent: string): Agent {
  if (userAgent.trim() === '') return UNKNOWN;
  const { platform, os, browser } = Bowser.parse(userAgent);
  return {
    device: isbot(userAgent) ? 'bot' : deviceOf(platform.type, os.name),
    os: family(os.name),
    browser: family(browser.name),
  };
}

function deviceOf(type: string | undefined, os: string | undefined): Agent['device'] {
  return DEVICES[type ?? ''] ?? (os === 'Chrome OS' ? 'desktop' : 'unknown');
}

function family(name: string | undefined): string {
  return name ? name.slice(0, 40) : 'unknown';
}
