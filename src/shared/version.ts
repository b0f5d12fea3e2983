import { readFileSync } from 'node:fs';

/** The version of the service, from package.json. */
export const VERSION = readVersion();

function readVersion(): string {
  // Two levels up from src/shared as from dist/shared.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}
