import Bowser from 'bowser';
import { isbot } from 'isbot';

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

/** Agents whose description is kept: it is the same every time, and few agents make most scans. */
const KEPT = 2_000;

const known = new Map<string, Agent>();

/** Device, operating system and browser of an agent, as families. */
export function describeAgent(userAgent: string): Agent {
  const kept = known.get(userAgent);
  if (kept) return kept;
  const described = parsed(userAgent);
  const [oldest] = known.keys();
  if (known.size >= KEPT && oldest !== undefined) known.delete(oldest);
  known.set(userAgent, described);
  return described;
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
