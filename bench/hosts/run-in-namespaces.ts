import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getNodeArguments } from '../child-process.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';

/** The kernel ends all processes of these namespaces with their first one, and then removes links and mounts. */
const UNSHARE = ['unshare', '--net', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child'];

const NEEDED_PROGRAMS = [
  'ip',
  'nsenter',
  'setpriv',
  'haproxy',
  'redis-server',
  '/usr/lib/postgresql/15/bin/postgres',
];

/** Get the reason why hosts cannot run here, or null. */
export function findNamespacesProblem(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'network namespaces need root on Linux';
  const missing = NEEDED_PROGRAMS.filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  );
  if (missing.length > 0) return `there is no ${missing.join(', ')}`;
  const [program = '', ...words] = UNSHARE;
  const script =
    'mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && ip netns add one && ip -n one link add two type veth';
  const { status, stderr } = spawnSync(program, [...words, 'sh', '-c', script], { encoding: 'utf8' });
  return status === 0 ? null : `network namespaces are not allowed: ${stderr.trim()}`;
}

/** Run the hosts in namespaces and a scratch folder of their own; returns the exit code. A signal removes everything. */
export async function runInNamespaces(
  args: readonly string[],
  onOutput: (text: string) => void,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-hosts-'));
  await chmod(folder, 0o755);
  // PostgreSQL leaves children behind when it is killed, and a shell as first process reaps them.
  const reaper = ['sh', '-c', '"$@"; exit $?', 'sh'];
  const script = [process.execPath, ...getNodeArguments('bench/hosts/hosts-process.ts'), folder, ...args];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...UNSHARE, ...reaper, ...script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  child.stdout.setEncoding('utf8').on('data', onOutput);
  const closed = once(child, 'close');
  const cleanUp = async () => {
    child.kill('SIGKILL');
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  return runWithCleanUp(cleanUp, async () => {
    const [code] = await closed;
    return typeof code === 'number' ? code : 1;
  });
}
