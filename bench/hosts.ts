// Run the service on ten hosts, which are network namespaces: two instances, two workers, PostgreSQL and its replica,
// Redis, S3, a proxy and clients. Cut each link, kill each process, skew a clock, fill a disk, promote the replica. Then
// look for every acknowledged scan, message, upload and email. For root on Linux with haproxy, iproute2, postgresql-15,
// redis-server and, for the clock, faketime. Exits with 1 if anything is lost, counted wrong or does not become normal.
//   npm run bench:hosts -- [seconds of a cut] [part of the names of faults]   each fault once
//   npm run bench:hosts -- --minutes 60 --seed 7                              faults at random, half with a cut link
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { findNamespacesProblem, runInNamespaces } from './hosts/run-in-namespaces.ts';
import { isWholeNumber, readOptions } from './read-arguments.ts';

const options = readOptions(import.meta.url, parseOptions);

const problem = findNamespacesProblem();
if (problem) throw new Error(`Hosts cannot be run: ${problem}.`);
const build = spawnSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (build.status !== 0) throw new Error('The service cannot be built.');
process.exitCode = await runInNamespaces(options, (text) => process.stdout.write(text));

/** Get the arguments of `hosts-process.ts`, or null. */
function parseOptions(args: string[]): string[] | null {
  const { values, positionals } = parseArgs({
    args,
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
    },
    allowPositionals: true,
  });
  const [seconds = '12', selection = 'all', ...others] = positionals;
  const { minutes, seed } = values;
  if (others.length > 0 || ![seconds, minutes ?? '1', seed].every(isWholeNumber)) return null;
  return minutes === undefined ? [selection, seconds] : ['random', seconds, minutes, seed];
}
