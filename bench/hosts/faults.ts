import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom, pickOne } from '../data/seeded-random.ts';
import { cutLink, fillDisk, LINKS, type Link, restoreLink } from './network.ts';
import type { DatabaseHost, PostgresServers } from './postgres-servers.ts';
import { getDataFolder, RESTART_DELAY_MS, type ServiceHost, type ServiceHosts } from './service-hosts.ts';

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

const CLOCK_SKEW_SECONDS = 300;
const FAILOVER_CUT_SECONDS = 3;
const DATABASE_LINK_FAULT = createLinkFault(['primary', 'replica'], 0).name;

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
  [from, to]: readonly [DatabaseHost, DatabaseHost],
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

/** Fail over again and again: the lost server becomes the synchronous replica of the promoted one. */
export function createRepeatedFailover(targets: FaultTargets, name: string) {
  let [primary, replica]: [DatabaseHost, DatabaseHost] = ['primary', 'replica'];
  const fault: Fault = {
    name,
    seconds: 0,
    async begin() {
      await createFailover(targets, [primary, replica], { name, cutSeconds: FAILOVER_CUT_SECONDS }).begin();
      [primary, replica] = [replica, primary];
      await targets.database.rebuild(replica, primary);
      await targets.database.setSynchronous(primary);
    },
  };
  return { fault, getPrimary: () => primary };
}

/** Draw faults of random length until it is over; half of them come with a cut link. */
export function* drawFaults(
  faults: readonly Fault[],
  options: { seed: number; seconds: number; isOver: () => boolean },
): Generator<Fault> {
  const random = createSeededRandom(options.seed);
  for (let number = 1; !options.isOver(); number += 1) {
    const seconds = 1 + Math.floor(random() * 2 * options.seconds);
    const fault = pickOne(faults, random);
    const link = createLinkFault(pickOne(LINKS, random), seconds);
    // A failover needs this link, and cuts it itself.
    const isPossible = link.name !== fault.name && link.name !== DATABASE_LINK_FAULT;
    const drawn = random() < 0.5 && isPossible ? withLinkFault(fault, link) : fault;
    const length = drawn.seconds > 0 ? seconds : 0;
    yield { ...drawn, name: `${number}: ${drawn.name}, ${length} s`, seconds: length };
  }
}

function withLinkFault(fault: Fault, link: Fault): Fault {
  return {
    name: `${fault.name} and ${link.name}`,
    seconds: link.seconds,
    async begin() {
      await link.begin();
      await fault.begin();
    },
    async end() {
      await fault.end?.();
      await link.end?.();
    },
  };
}
