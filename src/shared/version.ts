import { readFileSync } from 'node:fs';

export const SERVICE_VERSION = readVersion();

function readVersion(): string {
  // The same path from src/shared and dist/shared.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}
