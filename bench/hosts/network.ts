import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

export const HOSTS = [
  'client',
  'proxy',
  'app1',
  'app2',
  'worker1',
  'worker2',
  'primary',
  'replica',
  'redis',
  's3',
] as const;

export type Host = (typeof HOSTS)[number];
export type Link = readonly [Host, Host];

const SERVICE_HOSTS = ['app1', 'app2', 'worker1', 'worker2'] as const;
const STORES = ['primary', 'replica', 'redis', 's3'] as const;

/** The links that faults cut. */
export const LINKS: readonly Link[] = [
  ['proxy', 'app1'],
  ['proxy', 'app2'],
  ...SERVICE_HOSTS.flatMap((host) => STORES.map((store) => [host, store] as const)),
  ['primary', 'replica'],
];

/** The client also reads health and rows of every host, over links that nothing cuts. */
const CLIENT_LINKS: readonly Link[] = HOSTS.slice(1).map((host) => ['client', host] as const);

/** No interface has it, so that frames to it are dropped without a trace, as by a broken cable behind a switch. */
const UNKNOWN_LINK_ADDRESS = '02:00:00:00:00:01';

export function getAddress(host: Host): string {
  return `10.213.0.${HOSTS.indexOf(host) + 1}`;
}

/** Give each host a network namespace, and each link a pair of interfaces; this process becomes the client. */
export function createNetwork(): void {
  mkdirSync('/run/netns', { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
  for (const host of HOSTS) {
    if (host === 'client') ip('netns', 'attach', host, String(process.pid));
    else ip('netns', 'add', host);
    ip('-n', host, 'link', 'set', 'lo', 'up');
    ip('-n', host, 'address', 'add', `${getAddress(host)}/32`, 'dev', 'lo');
  }
  for (const [one, other] of [...CLIENT_LINKS, ...LINKS]) {
    ip('link', 'add', other, 'netns', one, 'type', 'veth', 'peer', 'name', one, 'netns', other);
    for (const [host, peer] of [
      [one, other],
      [other, one],
    ] as const) {
      ip('-n', host, 'link', 'set', peer, 'up');
      ip('-n', host, 'route', 'add', `${getAddress(peer)}/32`, 'dev', peer, 'src', getAddress(host));
    }
  }
}

/** Drop all packets of a link in both directions; nobody is told. */
export function cutLink([one, other]: Link): void {
  for (const [host, peer] of [
    [one, other],
    [other, one],
  ] as const)
    ip(
      '-n',
      host,
      'neigh',
      'replace',
      getAddress(peer),
      'lladdr',
      UNKNOWN_LINK_ADDRESS,
      'dev',
      peer,
      'nud',
      'permanent',
    );
}

export function restoreLink([one, other]: Link): void {
  for (const [host, peer] of [
    [one, other],
    [other, one],
  ] as const)
    ip('-n', host, 'neigh', 'del', getAddress(peer), 'dev', peer);
}

/** Get the words that run a command on a host. */
export function onHost(host: Host, ...command: string[]): string[] {
  return ['nsenter', `--net=/run/netns/${host}`, '--', ...command];
}

/** Replace a folder by a small disk. */
export function mountSmallDisk(folder: string, megabytes: number): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
}

/** Fill a disk to its last byte. */
export function fillDisk(file: string): void {
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4096'], { stdio: 'ignore' });
}

function ip(...words: string[]): void {
  execFileSync('ip', words);
}
