import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cutLink, fillDisk, LINKS, type Link, restoreLink } from './network.ts';
import type { PostgresServers } from './postgres-servers.ts';
import { getDataFolder, type ServiceHost, type ServiceHosts } from './service-hosts.ts';

/** Something that is broken for a while; without `end`, `begin` also repairs it. */
export interface Fault {
  name: string;
  seconds: number;
  begin(): void | Promise<void>;
  end?(): void | Promise<void>;
}

export interface FaultTargets {
  folder: string;
  database: PostgresServers;
  hosts: ServiceHosts;
}

/** As a supervisor waits, such as systemd with `RestartSec=1`. */
const RESTART_DELAY_MS = 1_000;
const CLOCK_SKEW_SECONDS = 300;

/** Of Debian's package faketime. Node measures times by the monotonic clock, which stays right. */
const FAKETIME_LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

export const FAKETIME_SKIP_REASON = existsSync(FAKETIME_LIBRARY) ? null : 'there is no package faketime';

export function createLinkFaults(seconds: number): Fault[] {
  return LINKS.map((link) => createLinkFault(link, seconds));
}

export function createLinkFault(link: Link, seconds: number): Fault {
  return {
    name: `link ${link.join('–')} cut`,
    seconds,
    begin: () => cutLink(link),
    end: () => restoreLink(link),
  };
}

/** Kill each process, and restart one as an operator does. */
export function createKillFaults({ database, hosts }: FaultTargets): Fault[] {
  const names = ['app1', 'app2', 'worker1', 'worker2', 'redis', 's3', 'proxy'] as const;
  const processes = names.map((name) => ({
    name: `${name} killed`,
    seconds: 0,
    async begin() {
      await hosts[name].end('SIGKILL');
      await sleep(RESTART_DELAY_MS);
      hosts[name].start();
    },
  }));
  const servers = (['replica', 'primary'] as const).map((host) => ({
    name: `${host} killed`,
    seconds: 0,
    async begin() {
      await database.kill(host);
      await sleep(RESTART_DELAY_MS);
      await database.start(host);
    },
  }));
  const restart = {
    name: 'app1 restarted',
    seconds: 0,
    async begin() {
      await hosts.app1.end('SIGTERM');
      hosts.app1.start();
    },
  };
  return [...processes, ...servers, restart];
}

export function createClockFaults({ hosts: { app1 } }: FaultTargets, seconds: number): Fault[] {
  if (FAKETIME_SKIP_REASON) return [];
  const restart = async (environment: Record<string, string>) => {
    await app1.end('SIGTERM');
    app1.start(environment);
  };
  return [CLOCK_SKEW_SECONDS, -CLOCK_SKEW_SECONDS].map((skew) => ({
    name: `clock of app1 ${skew > 0 ? '5 min ahead' : '5 min behind'}`,
    seconds,
    begin: () =>
      restart({
        LD_PRELOAD: FAKETIME_LIBRARY,
        FAKETIME: `${skew > 0 ? '+' : ''}${skew}s`,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }),
    end: () => restart({}),
  }));
}

/** Hosts whose data folder is a small disk. */
export const SMALL_DISK_HOSTS = ['app1', 'worker1'] as const satisfies ServiceHost[];

export function createDiskFaults({ folder }: FaultTargets, seconds: number): Fault[] {
  return SMALL_DISK_HOSTS.map((host) => {
    const file = join(getDataFolder(folder, host), 'filler');
    return {
      name: `disk of ${host} full`,
      seconds,
      begin: () => fillDisk(file),
      end: () => rm(file, { force: true }),
    };
  });
}

/** Lose a primary that was cut off from its replica before, and promote that. */
export function createFailover(
  { database }: FaultTargets,
  [from, to]: readonly ['primary', 'replica'] | readonly ['replica', 'primary'],
  options: { name: string; cutSeconds: number },
): Fault {
  return {
    name: options.name,
    seconds: 0,
    async begin() {
      if (options.cutSeconds > 0) cutLink(['primary', 'replica']);
      await sleep(options.cutSeconds * 1_000);
      await database.kill(from);
      await database.promote(to);
      if (options.cutSeconds > 0) restoreLink(['primary', 'replica']);
    },
  };
}
