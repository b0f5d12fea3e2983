import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';
import { classOfAgent } from './agent-class.rules.ts';

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

/** Systems that Bowser does not name. */
const SYSTEMS = ['KaiOS', 'FreeBSD', 'OpenBSD', 'NetBSD', 'SymbianOS', 'Sailfish', 'Nintendo', 'PlayStation'];

const DESKTOPS = ['Chrome OS', 'FreeBSD', 'OpenBSD', 'NetBSD'];

/** Descriptions that were made: the same every time, and few agents make most scans. */
const known = new LRUCache<string, Agent>({ max: 5_000, memoMethod: parsed });

/** Device, operating system and browser of an agent, as families. */
export function describeAgent(userAgent: string): Agent {
  return known.memo(userAgent);
}

function parsed(userAgent: string): Agent {
  if (userAgent.trim() === '') return UNKNOWN;
  const { platform, os, browser } = Bowser.parse(userAgent);
  const system = os.name ?? SYSTEMS.find((name) => userAgent.toLowerCase().includes(name.toLowerCase()));
  return {
    device: classOfAgent(userAgent) === 'OTHER' ? deviceOf(platform.type, system) : 'bot',
    os: family(system),
    browser: family(browser.name),
  };
}

function deviceOf(type: string | undefined, os: string | undefined): Agent['device'] {
  return DEVICES[type ?? ''] ?? (DESKTOPS.includes(os ?? '') ? 'desktop' : 'unknown');
}

function family(name: string | undefined): string {
  return name ? name.slice(0, 40) : 'unknown';
}
