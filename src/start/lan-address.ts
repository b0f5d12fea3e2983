import { networkInterfaces } from 'node:os';

/** This machine's IPv4 address in its network, or null when it has none. */
export function getLanAddress(): string | null {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}
